import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import tls from 'node:tls'
import { recipientsOf, startSmtpServer, type SmtpSecurity } from '../../../../test/alerts/mail.ts'
import { createTestAuthority } from '../../../../test/webhooks/test-certificates.ts'
import { MailFailure, type MailMessage } from './mailer.ts'
import { createSmtpMailer, toSmtpOptions } from './open-mailer.ts'

const authority = createTestAuthority()
const trusted = tls.getCACertificates('default')
const security: SmtpSecurity = {
  certificate: authority.issue({ host: 'localhost' }),
  user: 'swath@example.org',
  password: 'p@ss:w/rd%',
}
before(() => tls.setDefaultCACertificates([...trusted, authority.root]))
after(() => tls.setDefaultCACertificates(trusted))

const message: MailMessage = {
  id: 'an-id',
  to: { name: 'Ina', address: 'ina@example.org' },
  subject: 'A subject',
  text: 'A text',
  html: '<p>A text</p>',
  date: new Date('2026-03-01T12:00:00Z'),
  unsubscribe_url: null,
  attachments: [],
}

const failureOf = async (sent: Promise<void>): Promise<MailFailure> => {
  const failure = await sent.then(
    () => null,
    (error: unknown) => error,
  )
  assert.ok(failure instanceof MailFailure, String(failure))
  return failure
}

test('an e-mail is sent over STARTTLS with the password of the setting', async () => {
  const server = await startSmtpServer(security)
  try {
    await createSmtpMailer(server.url, 'Swath <swath@example.org>').send(message)
    assert.deepEqual(server.sessions, [{ secure: true, user: security.user }])
    assert.deepEqual(recipientsOf(server.received[0]!), ['ina@example.org'])
  } finally {
    await server.close()
  }
})

test('a wrong password and a server that is not trusted are tried again: an operator mends them', async () => {
  const server = await startSmtpServer(security)
  try {
    const wrong = server.url.replace(/:[^:@]+@/, ':wrong@')
    const refused = await failureOf(createSmtpMailer(wrong, 'swath@example.org').send(message))
    assert.match(refused.message, /535/)
    assert.equal(refused.isPermanent, false)
    tls.setDefaultCACertificates(trusted)
    const untrusted = await failureOf(createSmtpMailer(server.url, 'swath@example.org').send(message))
    assert.match(untrusted.message, /certificate/i)
    assert.equal(untrusted.isPermanent, false)
    assert.deepEqual(server.received, [])
  } finally {
    tls.setDefaultCACertificates([...trusted, authority.root])
    await server.close()
  }
})

test('a password is not sent to a server of another machine that offers no STARTTLS', async () => {
  const isRequired = (url: string): boolean => toSmtpOptions(url).requireTLS
  assert.equal(isRequired('smtp://user:password@mail.example.com'), true)
  assert.equal(isRequired('smtp://:password@mail.example.com'), true)
  assert.equal(isRequired('smtp://mail.example.com'), false)
  assert.equal(isRequired('smtps://user:password@mail.example.com'), false)
  for (const host of ['localhost', '127.0.0.1', '127.0.0.2', '[::1]'])
    assert.equal(isRequired(`smtp://user:password@${host}:2525`), false, host)
  const server = await startSmtpServer()
  try {
    const url = server.url.replace('//', '//user:password@')
    const failure = await failureOf(createSmtpMailer(`${url}?requireTLS=true`, 'swath@example.org').send(message))
    assert.equal(failure.isPermanent, false)
    assert.deepEqual(server.received, [])
  } finally {
    await server.close()
  }
})
