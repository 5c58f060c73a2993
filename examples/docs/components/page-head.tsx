/** What the document's head says about a page. */
export function PageHead({ title, description }: { title: string; description: string }) {
  return (
    <>
      <title>{title === 'appkit' ? title : `${title} · appkit`}</title>
      <meta name="description" content={description} />
    </>
  );
}
