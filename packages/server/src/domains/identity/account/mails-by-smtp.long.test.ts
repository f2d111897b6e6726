import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import tls from 'node:tls'
import type { ParsedMail } from 'mailparser'
import { linkOf, pathOf } from '../../../../test/accounts/account-fixtures.ts'
import { recipientsOf, startSmtpServer, type TestSmtpServer } from '../../../../test/alerts/mail.ts'
import { startTestApp, type TestApp } from '../../../../test/test-app.ts'
import { readForm, TestBrowser, type BrowserResponse } from '../../../../test/test-browser.ts'
import { createTestAuthority } from '../../../../test/webhooks/test-certificates.ts'
import { newId } from '../../../platform/ids.ts'

const authority = createTestAuthority()
const trusted = tls.getCACertificates('default')
const user = 'swath@example.org'

let mailServer: TestSmtpServer
let app: TestApp
before(async () => {
  tls.setDefaultCACertificates([...trusted, authority.root])
  const certificate = authority.issue({ host: 'localhost' })
  mailServer = await startSmtpServer({ certificate, user, password: 'p@ss:w/rd%' })
  app = await startTestApp({
    background: { poll_s: 0.05 },
    environment: { SMTP_URL: mailServer.url, MAIL_FROM: `Swath <${user}>` },
  })
})
after(async () => {
  await app?.close()
  await mailServer?.close()
  tls.setDefaultCACertificates(trusted)
})

/** The e-mail to an address with this subject, once it has arrived. */
async function waitForMail(email: string, subject: RegExp): Promise<ParsedMail> {
  for (let attempt = 0; attempt < 3000; attempt += 1) {
    const mail = mailServer.received.find(
      (candidate) => recipientsOf(candidate).includes(email) && subject.test(candidate.subject ?? ''),
    )
    if (mail) return mail
    await pause(20)
  }
  return assert.fail(`no e-mail to ${email} about ${String(subject)}`)
}

/** The page behind the link in an e-mail, which is the same in its text and in its HTML. */
async function openLink(mail: ParsedMail, browser: TestBrowser) {
  const link = linkOf(mail)
  const path = pathOf(link)
  assert.ok(String(mail.html).includes(`href="${link.href}"`), 'the HTML has the link of the text')
  const page = await browser.request('GET', path)
  assert.equal(page.status, 200, page.body)
  return { path, page }
}

async function post(
  browser: TestBrowser,
  { path, page }: { readonly path: string; readonly page: BrowserResponse },
  values: Readonly<Record<string, string>> = {},
): Promise<BrowserResponse> {
  const { action, hidden } = readForm(page.body)
  return browser.request(
    'POST',
    `${path.split('?')[0]}${action}`,
    new URLSearchParams({ ...hidden, ...values }).toString(),
  )
}

const twice = (password: string) => ({ new_password: password, new_password_again: password })
const password = 'a password of the invited person'

test('an invitation, a link for another password and one for another address work as an SMTP server gets them', async () => {
  const browser = new TestBrowser({ url: app.url })
  const [email, moved] = [`${newId()}@example.org`, `${newId()}@example.org`]
  await app.admin.call('organizations.invitations.create', { email })
  const invitation = await openLink(await waitForMail(email, /Invitation to/), browser)
  const joined = await post(browser, invitation, { choice: 'create', name: 'Ina Invited', ...twice(password) })
  assert.equal(joined.status, 303, joined.body)
  assert.equal((await post(browser, invitation, { choice: 'create', ...twice(password) })).status, 404, 'a second time')

  const path = '/realms/public/login-actions/reset-password'
  await post(browser, { path, page: await browser.request('GET', path) }, { email })
  const choice = await openLink(await waitForMail(email, /Choose a new password/), browser)
  const chosen = await post(browser, choice, twice('another password of the person'))
  assert.match(chosen.body, /Your password was changed/)
  await waitForMail(email, /Your password was changed/)
  const client = app.createClientFor(email, 'another password of the person')
  await assert.rejects(app.createClientFor(email, password).call('users.me', {}))

  await client.call('users.email.change', { email: moved })
  const confirmation = await openLink(await waitForMail(moved, /Confirm your e-mail address/), browser)
  assert.match((await post(browser, confirmation)).body, /The address was confirmed/)
  const { user: person } = await app
    .createClientFor(moved, 'another password of the person')
    .call<{ user: { email: string } }>('users.me', {})
  assert.equal(person.email, moved)
  await waitForMail(email, /Another e-mail address for your account/)

  const session = { secure: true, user }
  assert.deepEqual(
    mailServer.sessions,
    mailServer.received.map(() => session),
    'over TLS, with the password',
  )
  for (const { from } of mailServer.received) assert.equal(from?.value[0]?.address, user)
})
