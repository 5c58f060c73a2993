import { redirect } from 'vike/abort';

export default () => {
  throw redirect('/');
};
