import assert from 'node:assert/strict'
import { test } from 'node:test'
import { realmPath, startIdentityTestApp, type IdentityTestApp } from '../../../test/identity-test-app.ts'

const signInFrom = async (
  { server }: IdentityTestApp,
  remoteAddress: string,
  username: string,
  password: string,
): Promise<number> => {
  const payload = new URLSearchParams({ grant_type: 'password', username, password }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return (await server.inject({ method: 'POST', url: `${realmPath}/token`, remoteAddress, headers, payload }))
    .statusCode
}

test('an address that guesses is refused, except for accounts that have signed in from it', async () => {
  const office = '192.0.2.7'
  const officeApp = await startIdentityTestApp({ per_address: { failures: 4, window_ms: 60_000 } })
  const [known, newcomer, victim] = [
    await officeApp.createOutsider(),
    await officeApp.createOutsider(),
    await officeApp.createOutsider(),
  ]
  const signIn = (username: string, secret: string, address = office): Promise<number> =>
    signInFrom(officeApp, address, username, secret)
  assert.equal(await signIn(known.email, known.password), 200)
  for (let guess = 0; guess < 4; guess += 1) assert.equal(await signIn(`${guess}@example.org`, 'wrong'), 400)
  for (const { email } of [victim, newcomer]) assert.equal(await signIn(email, 'wrong'), 429, 'the address still waits')
  assert.equal(await signIn(newcomer.email, newcomer.password), 429)
  assert.equal(await signIn(known.email, known.password), 200, 'a colleague of the attacker signs in')
  assert.equal(await signIn(known.email, known.password, '192.0.2.8'), 200)
  for (let guess = 0; guess < 10; guess += 1) assert.equal(await signIn(known.email, 'wrong'), 400)
  assert.equal(
    await signIn(known.email, known.password),
    429,
    'guesses at a known account are limited by its own failures',
  )
  await officeApp.close()
})

test('a success at an address is forgotten after 14 days', async () => {
  const officeApp = await startIdentityTestApp({ per_address: { failures: 1, window_ms: 60_000 } })
  const user = await officeApp.createOutsider()
  const signIn = (username: string, secret: string) => signInFrom(officeApp, '192.0.2.7', username, secret)
  assert.equal(await signIn(user.email, user.password), 200)
  officeApp.clock.advance(16 * 24 * 3600 * 1000)
  assert.equal(await signIn('a@example.org', 'wrong'), 400)
  assert.equal(await signIn(user.email, user.password), 429)
  await officeApp.close()
})
