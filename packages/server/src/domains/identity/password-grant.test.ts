import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../platform/database/sql.ts'
import type { PasswordHasher } from '../../platform/crypto/passwords.ts'
import { startIdentityTestApp, type IdentityTestApp } from '../../../test/identity-test-app.ts'
import { authorizationParameters, createPkce, TestBrowser } from '../../../test/test-browser.ts'
import { testPasswordHasher } from '../../../test/test-crypto.ts'

/** Runs between the verification of a password and the creation of the session. */
let onVerified: (() => Promise<void>) | null = null
const passwords: PasswordHasher = {
  ...testPasswordHasher,
  verify: async (password, stored) => {
    const isMatch = await testPasswordHasher.verify(password, stored)
    const interrupt = onVerified
    onVerified = null
    await interrupt?.()
    return isMatch
  },
}

let app: IdentityTestApp
before(async () => {
  app = await startIdentityTestApp({}, { passwords })
})
after(() => app.close())

test('a one-time password that is replaced while it is verified opens no session', async () => {
  const founder = await app.createFounder()
  const member = await app.addMember(founder.token, 'member')
  const browser = new TestBrowser(app)
  const page = await browser.signIn(authorizationParameters(createPkce()), member.email, member.password)
  const chosen = 'a password of my own'
  onVerified = async () => {
    const redirect = await browser.submit(page, { new_password: chosen, new_password_again: chosen })
    assert.equal(redirect.status, 303)
  }
  const grant = { grant_type: 'password', username: member.email, password: member.password }
  const { status, body } = await app.postForm('token', grant)
  assert.deepEqual([status, body['error']], [400, 'invalid_grant'])
  const sessions = await app.database.unscoped.query(sql`
    select id from sessions where user_id = ${member.id} and cookie_hash is null and revoked_at is null`)
  assert.deepEqual(sessions, [])
  assert.equal((await app.postForm('token', { ...grant, password: chosen })).status, 200)
})
