/** `npm run wpt -- <folder>`: the Web Platform Tests of a folder, with the light classes and with those of the platform. */
import { compareBuilds } from './compare.ts';

const [folder, ...others] = process.argv.slice(2);
if (folder === undefined || folder.startsWith('-') || others.length > 0) {
  console.error('npm run wpt -- <folder>, a checkout of the Web Platform Tests or its parts resources/ and fetch/');
  process.exitCode = 2;
} else {
  try {
    const { files, subtests, passedNatively, differences } = await compareBuilds(folder);
    for (const difference of differences) console.log(difference);
    console.log(`${files} files, ${subtests} subtests, of which the platform passes ${passedNatively}`);
    console.log(`${subtests - differences.length} alike, ${differences.length} different`);
    process.exitCode = differences.length === 0 ? 0 : 1;
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
