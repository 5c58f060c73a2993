/** Where the text of a page comes from, and where it can be edited. */
export function PageSource({ file, editLink }: { file: string; editLink?: string | undefined }) {
  return (
    <p className="source">
      {editLink === undefined ? (
        <>
          The source of this page is <code>{file}</code>.
        </>
      ) : (
        <a href={editLink}>Edit this page</a>
      )}
    </p>
  );
}
