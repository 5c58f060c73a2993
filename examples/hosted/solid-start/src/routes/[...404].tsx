import { HttpStatusCode } from '@solidjs/start';

export default () => (
  <>
    <HttpStatusCode code={404} />
    <p>Not found</p>
  </>
);
