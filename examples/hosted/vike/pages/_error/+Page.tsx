export default () => <p>Not found</p>;
