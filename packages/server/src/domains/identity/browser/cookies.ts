/**
 * The cookies of sign-in: `session` keeps a browser signed in, `form` binds the forms of the pages to the browser that they
 * were sent to.
 */
export type CookiePurpose = 'session' | 'form'

const isSecure = (baseUrl: string): boolean => baseUrl.startsWith('https:')

/** Browsers accept a name with `__Host-` only with Secure and for the host itself, so no subdomain can set such a cookie. */
const cookieName = (purpose: CookiePurpose, baseUrl: string): string =>
  `${isSecure(baseUrl) ? '__Host-' : ''}swath-${purpose}`

const isOwnValue = (value: string): boolean => /^[0-9A-Za-z_]{1,128}$/.test(value)

/** The value of a cookie in the header of a request; null without one that looks like ours. */
export function readCookie(header: string | null, purpose: CookiePurpose, baseUrl: string): string | null {
  const prefix = `${cookieName(purpose, baseUrl)}=`
  for (const pair of header?.split(';') ?? []) {
    const text = pair.trim()
    if (text.startsWith(prefix) && isOwnValue(text.slice(prefix.length))) return text.slice(prefix.length)
  }
  return null
}

/**
 * A `Set-Cookie` header for as long as the browser runs; the server decides when the session ends. Lax, because the client
 * that sends the user here may be on another site; the forms are posted from our own pages.
 */
export const setCookie = (purpose: CookiePurpose, value: string, baseUrl: string): string =>
  `${cookieName(purpose, baseUrl)}=${value}; Path=/; HttpOnly; SameSite=Lax${isSecure(baseUrl) ? '; Secure' : ''}`

/** A `Set-Cookie` header that deletes the cookie. */
export const clearCookie = (purpose: CookiePurpose, baseUrl: string): string =>
  `${setCookie(purpose, '', baseUrl)}; Max-Age=0`
