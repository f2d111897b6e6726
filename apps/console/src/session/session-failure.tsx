import { explain } from '../api/problem.ts'
import { texts } from '../texts.ts'

/** Shown when nobody could be signed in, and the sign-in page cannot help: the server is away, or it refused. */
export function SessionFailure({ error }: { error: unknown }) {
  return (
    <main role="alert">
      <h1>{texts.account.failed}</h1>
      <p>{explain(error).text}</p>
      <a href="/">{texts.account.again}</a>
    </main>
  )
}
