/** A browser without scripts, over HTTP: it keeps cookies, posts forms and stops at the redirect URI of the client. */
export interface FormBrowser {
  /** Opens a URL and, where it shows a form, fills in each with the next values; returns the URL that it was sent to. */
  follow(url: string, ...submissions: readonly Readonly<Record<string, string>>[]): Promise<string>
  /** Decides on the page of a device code, after signing in where the page asks for it. */
  decide(url: string, credentials: Readonly<Record<string, string>>, decision: 'allow' | 'deny'): Promise<void>
}

const unescapeHtml = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

function readForm(html: string, pageUrl: string): { action: URL; hidden: Record<string, string> } {
  const action = /<form method="post" action="([^"]*)"/.exec(html)?.[1]
  if (action === undefined) throw new Error(`a page without a form: ${html.replaceAll(/<style>[^]*<\/style>/g, '')}`)
  const hidden = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
  const entries = hidden.map(([, name = '', value = '']) => [name, unescapeHtml(value)])
  return {
    action: new URL(unescapeHtml(action), pageUrl),
    hidden: Object.fromEntries(entries) as Record<string, string>,
  }
}

export function createFormBrowser(): FormBrowser {
  const cookies = new Map<string, string>()

  async function request(url: string, body?: URLSearchParams): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { accept: 'text/html', cookie },
      ...(body ? { method: 'POST', body } : {}),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }

  /** Follows redirects to the next page; relative ones do not occur. */
  async function openPage(url: string): Promise<{ url: string; html: string }> {
    const response = await request(url)
    const location = response.headers.get('location')
    if (location !== null) return openPage(location)
    if (response.status !== 200) throw new Error(`${response.status} instead of a page: ${await response.text()}`)
    return { url, html: await response.text() }
  }

  return {
    decide: async (url, credentials, decision) => {
      let page = await openPage(url)
      if (page.html.includes('type="password"')) {
        const signIn = readForm(page.html, page.url)
        const response = await request(signIn.action.href, new URLSearchParams({ ...signIn.hidden, ...credentials }))
        page = await openPage(response.headers.get('location') ?? '')
      }
      const { action, hidden } = readForm(page.html, page.url)
      const response = await request(action.href, new URLSearchParams({ ...hidden, decision }))
      if (response.status !== 200) throw new Error(`${response.status} after the decision: ${await response.text()}`)
    },
    follow: async (url, ...submissions) => {
      let response = await request(url)
      for (const values of submissions) {
        if (response.status !== 200) throw new Error(`${response.status} instead of a page: ${await response.text()}`)
        const { action, hidden } = readForm(await response.text(), url)
        response = await request(action.href, new URLSearchParams({ ...hidden, ...values }))
      }
      const location = response.headers.get('location')
      if (location === null) throw new Error(`${response.status} instead of a redirect: ${await response.text()}`)
      return location
    },
  }
}
