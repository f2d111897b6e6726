import { createPkce, readForm, type Pkce } from '../../../packages/server/test/test-browser.ts'

interface Page {
  readonly url: string
  readonly html: string
}

/** A browser without scripts that visits several servers: it keeps cookies, follows redirects, and posts forms. */
export class WebBrowser {
  private readonly cookies = new Map<string, string>()

  /** Cookies are of a host, whatever its port, as in any browser. */
  private async request(url: string, body?: URLSearchParams): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { accept: 'text/html', cookie },
      ...(body ? { method: 'POST', body } : {}),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return response
  }

  /** Follows redirects to a page, or to a URL that begins with `end`, which is not opened. */
  async open(url: string, end: string, body?: URLSearchParams): Promise<Page> {
    let response = await this.request(url, body)
    let at = url
    for (let count = 0; count < 20; count += 1) {
      const location = response.headers.get('location')
      if (location === null) return { url: at, html: await response.text() }
      at = new URL(location, at).href
      if (at.startsWith(end)) return { url: at, html: '' }
      response = await this.request(at)
    }
    throw new Error('too many redirects')
  }

  submit({ url, html }: Page, end: string, values: Readonly<Record<string, string>>): Promise<Page> {
    const { action, hidden } = readForm(html)
    return this.open(new URL(action, url).href, end, new URLSearchParams({ ...hidden, ...values }))
  }
}

/** The URL that a page leads to. */
export function readLink({ html }: Page): string {
  const link = /<a class="button" href="([^"]*)"/.exec(html)?.[1]
  if (link === undefined) throw new Error(`a page without a link: ${html.replaceAll(/<style>[^]*<\/style>/g, '')}`)
  return link.replaceAll('&amp;', '&')
}

export interface ConsoleSignIn {
  readonly browser: WebBrowser
  readonly pkce: Pkce
  readonly redirect_uri: string
  readonly url: string
}

/** An authorization request of the console of a server. */
export function createConsoleSignIn(server: string): ConsoleSignIn {
  const pkce = createPkce()
  const redirect_uri = `${server}/auth/callback`
  const parameters = new URLSearchParams({
    client_id: 'swath-console',
    redirect_uri,
    response_type: 'code',
    scope: 'openid',
    state: 'a state',
    code_challenge: pkce.challenge,
    code_challenge_method: 'S256',
  })
  const url = `${server}/realms/public/protocol/openid-connect/auth?${parameters.toString()}`
  return { browser: new WebBrowser(), pkce, redirect_uri, url }
}

/** Exchanges the code of the URL that a browser was sent to for a token. */
export async function exchangeCode(
  server: string,
  { pkce, redirect_uri }: ConsoleSignIn,
  url: string,
): Promise<string> {
  const response = await fetch(`${server}/realms/public/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: 'swath-console',
      redirect_uri,
      code: new URL(url).searchParams.get('code') ?? '',
      code_verifier: pkce.verifier,
    }),
  })
  const { access_token } = (await response.json()) as { access_token?: string }
  if (access_token === undefined) throw new Error(`no token for ${url}`)
  return access_token
}
