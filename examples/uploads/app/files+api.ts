import { saveFiles } from '../server/save-files.ts';

/** Saves the files of a form. */
export async function POST(request: Request): Promise<Response> {
  const saved = await saveFiles(request, process.env['UPLOADS_FOLDER'] ?? 'uploads', {
    maxFiles: 5,
    maxFileBytes: 20_000_000,
  });
  return Response.json({ saved }, { status: 201 });
}
