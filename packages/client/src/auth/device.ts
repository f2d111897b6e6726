import { sleep } from '../sleep.ts'
import { postForm, requestTokens, SignInError, type SignInServer, type SessionTokens } from './oauth.ts'

/** What the person who signs in needs: the page and the code. */
export interface DevicePrompt {
  readonly user_code: string
  /** The page where the code is entered. */
  readonly verification_uri: string
  /** The same page with the code filled in. */
  readonly verification_uri_complete: string
  readonly expires_in: number
}

export interface DeviceSignIn {
  /** Shows the code to the person, or opens the page. */
  readonly onCode: (code: DevicePrompt) => void | Promise<void>
  /** The OAuth client; default `swath`, that of tools of people. */
  readonly clientId?: string
  /** Scopes, separated by spaces; without them all that are not those of operators. */
  readonly scope?: string
  readonly signal?: AbortSignal
}

interface DeviceResponse extends DevicePrompt {
  readonly device_code: string
  readonly interval?: number
}

const slow_down_s = 5

/**
 * Signs in with a browser of the person, which may run on another device (RFC 8628). Throws `SignInError` with the code
 * `access_denied` or `expired_token`.
 */
export async function signInWithDevice(
  endpoint: SignInServer,
  { onCode, clientId = 'swath', scope, signal }: DeviceSignIn,
): Promise<SessionTokens> {
  const client = { client_id: clientId }
  const {
    device_code,
    interval = slow_down_s,
    ...code
  } = await postForm<DeviceResponse>(endpoint, 'auth/device', {
    ...client,
    scope,
  })
  await onCode(code)
  const form = { ...client, grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code }
  const end_ms = Date.now() + code.expires_in * 1000
  for (let wait_s = interval; ;) {
    await sleep(wait_s * 1000, signal)
    try {
      return await requestTokens(endpoint, form)
    } catch (error) {
      const reason = error instanceof SignInError ? error.code : null
      if (reason === 'slow_down') wait_s += slow_down_s
      // Also after a lost connection the next poll may be answered.
      else if (reason !== 'authorization_pending' && !(error instanceof TypeError && Date.now() < end_ms)) throw error
    }
  }
}
