import { readForm, TestBrowser } from '../../../packages/server/test/test-browser.ts'
import { administrator } from './server-process.ts'

/** Allows the code of a device in a browser, as the administrator. */
export async function allowDevice(url: string, user_code: string): Promise<void> {
  const browser = new TestBrowser({ url })
  const first = await browser.request('GET', `/device?user_code=${user_code}`)
  const signIn = await browser.request('GET', first.location!.pathname + first.location!.search)
  const back = await browser.submit(signIn, { email: administrator.username, password: administrator.password })
  const page = await browser.request('GET', back.location!.pathname + back.location!.search)
  const body = new URLSearchParams({ ...readForm(page.body).hidden, decision: 'allow' }).toString()
  const done = await browser.request('POST', '/device', body)
  if (!/signed in/.test(done.body)) throw new Error(`the device was not allowed: ${done.status}`)
}
