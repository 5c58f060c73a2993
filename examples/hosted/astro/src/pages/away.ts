export const prerender = false;
export const GET = ({ redirect }: { redirect: (to: string) => Response }) => redirect('/');
