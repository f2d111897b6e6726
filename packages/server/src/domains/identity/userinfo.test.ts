import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  adminEmail,
  adminPassword,
  realmPath,
  startIdentityTestApp,
  type IdentityTestApp,
} from '../../../test/identity-test-app.ts'

let app: IdentityTestApp
before(async () => {
  app = await startIdentityTestApp()
})
after(() => app.close())

test('userinfo takes a token of the form of a POST, and of no URL', async () => {
  const { access_token } = await app.signIn(adminEmail, adminPassword)
  const send = async (method: 'GET' | 'POST', query: string, headers: Record<string, string>, payload?: string) => {
    const url = `${realmPath}/userinfo${query}`
    return (await app.server.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })).statusCode
  }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const field = `access_token=${access_token}`
  assert.equal(await send('POST', '', form, field), 200)
  assert.equal(await send('POST', '', { ...form, authorization: 'Bearer wrong' }, field), 401)
  assert.equal(await send('POST', `?${field}`, form, ''), 401)
  assert.equal(await send('GET', `?${field}`, {}), 401)
})
