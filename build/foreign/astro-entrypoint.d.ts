/** What Astro passes to the server entry of an adapter. It exists only while Astro bundles a site. */
declare module 'astro/app/entrypoint' {
  export function createApp(): {
    render(
      request: Request,
      options: {
        clientAddress?: string | undefined;
        waitUntil?: (promise: Promise<unknown>) => void;
        locals?: object;
        addCookieHeader?: boolean;
      },
    ): Promise<Response>;
  };
}
