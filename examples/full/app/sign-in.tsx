export default function SignIn() {
  return (
    <main>
      <title>Sign in</title>
      <h1>Sign in</h1>
      <p>
        This is a demo: it believes any name. <code>app/sign-in+api.ts</code> is where to ask for a password.
      </p>
      <form method="post">
        <label>
          Your name <input name="name" required maxLength={40} />
        </label>{' '}
        <button>Sign in</button>
      </form>
    </main>
  );
}
