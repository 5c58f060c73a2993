export default () => <h1>Home at /</h1>;
