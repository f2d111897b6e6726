/**
 * The cookies of sign-in: `session` keeps a browser signed in, `form-<id>` binds forms to the browser that they were sent to.
 * Pages that are opened at the same moment have a cookie each, so that the second does not replace that of the first.
 */
export type SignInCookiePurpose = 'session' | `form-${string}`

const isSecure = (baseUrl: string): boolean => baseUrl.startsWith('https:')

/** Browsers accept a name with `__Host-` only with Secure and for the host itself, so no subdomain can set such a cookie. */
const cookieName = (purpose: SignInCookiePurpose, baseUrl: string): string =>
  `${isSecure(baseUrl) ? '__Host-' : ''}swath-${purpose}`

const isOwnValue = (value: string): boolean => /^[0-9A-Za-z_]{1,128}$/.test(value)

const listPairs = (header: string | null): readonly string[] => header?.split(';').map((pair) => pair.trim()) ?? []

/** The value of a cookie in the header of a request; null without one in the format of the platform. */
export function readSignInCookie(header: string | null, purpose: SignInCookiePurpose, baseUrl: string): string | null {
  const prefix = `${cookieName(purpose, baseUrl)}=`
  const values = listPairs(header).flatMap((pair) => (pair.startsWith(prefix) ? [pair.slice(prefix.length)] : []))
  return values.find(isOwnValue) ?? null
}

/** A cookie that binds forms. */
export interface SignInFormCookie {
  readonly id: string
  readonly value: string
}

const formIdPattern = /^[0-9A-Za-z]{1,32}$/

/** The first cookie for forms in the header of a request; null without one. */
export function findSignInFormCookie(header: string | null, baseUrl: string): SignInFormCookie | null {
  const prefix = cookieName('form-', baseUrl)
  const cookies = listPairs(header).flatMap((pair) => {
    const [id = '', value = ''] = pair.startsWith(prefix) ? pair.slice(prefix.length).split('=') : []
    return formIdPattern.test(id) && isOwnValue(value) ? [{ id, value }] : []
  })
  return cookies[0] ?? null
}

/**
 * A `Set-Cookie` header for as long as the browser runs; the server decides when the session ends. Lax, because the client
 * that sends the user here may be on another site; the forms are posted from our own pages.
 */
export const formatSignInCookie = (purpose: SignInCookiePurpose, value: string, baseUrl: string): string =>
  `${cookieName(purpose, baseUrl)}=${value}; Path=/; HttpOnly; SameSite=Lax${isSecure(baseUrl) ? '; Secure' : ''}`

/** A `Set-Cookie` header that deletes the cookie. */
export const formatClearedSignInCookie = (purpose: SignInCookiePurpose, baseUrl: string): string =>
  `${formatSignInCookie(purpose, '', baseUrl)}; Max-Age=0`
