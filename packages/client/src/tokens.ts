import { problemOf } from './problem.ts'

/** Credentials: user name and password, or an API key. */
export type Login = { readonly username: string; readonly password: string } | { readonly apiKey: string }

interface TokenAnswer {
  readonly access_token: string
  readonly expires_in: number
  readonly refresh_token?: string
}

/** A token that expires within this time is refreshed before use. */
const margin_ms = 30_000

const tokenPath = '/realms/public/protocol/openid-connect/token'

/**
 * Requests access tokens and refreshes them shortly before they expire: with the refresh token, or with the credentials if
 * that is not accepted. Concurrent callers share one request.
 */
export function tokenSource(base: string, login: Login): () => Promise<string> {
  let held: { token: string; until: number; refresh: string | null } | null = null
  let asking: Promise<string> | null = null

  const ask = async (form: Record<string, string>): Promise<string> => {
    const response = await fetch(`${base}${tokenPath}`, { method: 'POST', body: new URLSearchParams(form) })
    if (!response.ok) throw await problemOf(response)
    const answer = (await response.json()) as TokenAnswer
    held = {
      token: answer.access_token,
      until: performance.now() + answer.expires_in * 1000 - margin_ms,
      refresh: answer.refresh_token ?? null,
    }
    return held.token
  }
  const fresh = (): Promise<string> =>
    'apiKey' in login
      ? ask({ grant_type: 'client_credentials', client_id: 'swath', client_secret: login.apiKey })
      : ask({ grant_type: 'password', ...login })
  const renew = (): Promise<string> =>
    held?.refresh ? ask({ grant_type: 'refresh_token', refresh_token: held.refresh }).catch(fresh) : fresh()

  return () => {
    if (held && performance.now() < held.until) return Promise.resolve(held.token)
    asking ??= renew().finally(() => {
      asking = null
    })
    return asking
  }
}
