import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, SignJWT, type JSONWebKeySet } from 'jose'
import { sql } from '../../platform/database/sql.ts'
import { announceChange } from './changes.ts'
import {
  adminEmail,
  adminPassword,
  base,
  openPeopleHouse,
  problem,
  realm,
  type PeopleHouse,
} from '../../../test/identity-setup.ts'

let house: PeopleHouse
before(async () => {
  house = await openPeopleHouse({ per_address: { failures: 0, window_ms: 60_000 } })
})
after(() => house.close())

const password = (username: string, word: string, more: Record<string, string> = {}) =>
  house.form('token', { grant_type: 'password', username, password: word, ...more })
const refresh = (refresh_token: string) => house.form('token', { grant_type: 'refresh_token', refresh_token })
const exchange = (client_secret: string) =>
  house.form('token', { grant_type: 'client_credentials', client_id: 'swath', client_secret })
const me = (token: string) => house.op('users.me', token)
const makeKey = async (permissions: string[], more: object = {}): Promise<{ id: string; key: string }> => {
  const { access_token } = await house.signIn(adminEmail, adminPassword)
  const made = await house.op('api_keys.create', access_token, { name: 'test', permissions, ...more })
  return made as { id: string; key: string }
}

test('the password grant returns exactly the documented fields', async () => {
  const { status, headers, body } = await password(adminEmail, adminPassword)
  assert.equal(status, 200)
  assert.deepEqual(
    Object.keys(body).toSorted(),
    ['access_token', 'expires_in', 'refresh_expires_in', 'refresh_token', 'scope', 'token_type'].toSorted(),
  )
  assert.equal(body['token_type'], 'Bearer')
  assert.equal(body['expires_in'], 300)
  assert.equal(body['refresh_expires_in'], 1800)
  assert.equal(headers['cache-control'], 'no-store')
})

test('the password grant ignores unknown clients and scopes, and the case of the email', async () => {
  const known = await password(` ${adminEmail.toUpperCase()} `, adminPassword, {
    client_id: 'up42-sdk',
    scope: 'openid',
  })
  assert.equal(known.status, 200)
})

test('a wrong password and an unknown user get the same response', async () => {
  const wrong = await password(adminEmail, 'wrong')
  const unknown = await password('nobody@example.org', 'wrong')
  const strange = await password('a\0b', 'wrong')
  assert.equal(wrong.status, 400)
  assert.equal(wrong.body['error'], 'invalid_grant')
  assert.equal(wrong.headers['cache-control'], 'no-store')
  assert.deepEqual(unknown.body, wrong.body)
  assert.deepEqual(strange.body, wrong.body)
})

test('malformed token requests get their OAuth error', async () => {
  const cases: readonly (readonly [Record<string, string>, string])[] = [
    [{}, 'invalid_request'],
    [{ grant_type: 'password', username: adminEmail }, 'invalid_request'],
    [{ grant_type: 'refresh_token' }, 'invalid_request'],
    [{ grant_type: 'toString' }, 'unsupported_grant_type'],
    [{ grant_type: 'authorization_code', code: 'x' }, 'unsupported_grant_type'],
  ]
  for (const [fields, error] of cases) {
    const { status, body } = await house.form('token', fields)
    assert.equal(status, 400)
    assert.equal(body['error'], error)
    assert.equal(typeof body['error_description'], 'string')
  }
  const twice = await house.app.inject({
    method: 'POST',
    url: `${realm}/token`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'grant_type=password&grant_type=password',
  })
  assert.equal(twice.json().error, 'invalid_request')
  const json = await house.app.inject({ method: 'POST', url: `${realm}/token`, payload: { grant_type: 'password' } })
  assert.equal(json.statusCode, 400)
  assert.equal(json.json().error, 'invalid_request')
  const huge = await house.form('token', { grant_type: 'password', username: 'x'.repeat(17_000), password: 'y' })
  assert.equal(huge.status, 413)
  assert.equal(huge.body['error'], 'invalid_request')
})

const passwordFrom = async (remoteAddress: string, username: string, word: string, at = house): Promise<number> => {
  const payload = new URLSearchParams({ grant_type: 'password', username, password: word }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return (await at.app.inject({ method: 'POST', url: `${realm}/token`, remoteAddress, headers, payload })).statusCode
}

test('too many failures for one account from one IP address answer 429 there, also for the right password', async () => {
  const person = await house.stranger()
  for (let count = 0; count < 10; count += 1) assert.equal((await password(person.email, 'wrong')).status, 400)
  const limited = await password(person.email, person.password)
  assert.equal(limited.status, 429)
  assert.equal(typeof limited.body['error'], 'string')
  assert.equal(limited.headers['retry-after'], '315')
  assert.equal((await password(adminEmail, adminPassword)).status, 200, 'another account from the same address')
  assert.equal(await passwordFrom('192.0.2.1', person.email, person.password), 200, 'the owner from another address')
  house.clock.advance(315_000)
  assert.equal((await password(person.email, person.password)).status, 200)
})

test('guesses from many IP addresses leave few attempts to each and never block the owner', async () => {
  const few = await openPeopleHouse({ per_account: { failures: 5, window_ms: 60_000, strained_failures: 1 } })
  const person = await few.stranger()
  const from = (address: string, word: string): Promise<number> => passwordFrom(address, person.email, word, few)
  for (let host = 1; host <= 8; host += 1) assert.equal(await from(`198.51.100.${host}`, 'wrong'), 400)
  assert.equal(await from('198.51.100.1', 'wrong'), 429)
  assert.equal(await from('2001:db8::1', 'wrong'), 400)
  assert.equal(await from('2001:db8::2', 'wrong'), 429, 'an IPv6 prefix counts as one address')
  assert.equal(await from('192.0.2.1', person.password), 200)
  await few.close()
})

test('a refresh token works once; reuse ends its session', async () => {
  const first = await house.signIn(adminEmail, adminPassword)
  const second = await refresh(first.refresh_token)
  assert.equal(second.status, 200)
  assert.notEqual(second.body['refresh_token'], first.refresh_token)
  const third = await refresh(String(second.body['refresh_token']))
  assert.equal(third.status, 200)
  const token = String(third.body['access_token'])
  assert.equal((await me(token))['kind'], 'human')

  const reused = await refresh(first.refresh_token)
  assert.equal(reused.status, 400)
  assert.equal(reused.body['error'], 'invalid_grant')
  await assert.rejects(me(token), problem('unauthenticated'))
  assert.equal((await refresh(String(third.body['refresh_token']))).status, 400)
})

test('of two concurrent uses of a refresh token at most one succeeds, and the session ends', async () => {
  const { refresh_token } = await house.signIn(adminEmail, adminPassword)
  const answers = await Promise.all([refresh(refresh_token), refresh(refresh_token)])
  const winners = answers.filter(({ status }) => status === 200)
  assert.ok(winners.length <= 1)
  for (const { body } of winners) {
    await assert.rejects(me(String(body['access_token'])), problem('unauthenticated'))
    assert.equal((await refresh(String(body['refresh_token']))).status, 400)
  }
  assert.equal((await refresh(refresh_token)).status, 400)
})

test('tokens expire: access after 300 seconds, refresh after 1800', async () => {
  const tokens = await house.signIn(adminEmail, adminPassword)
  assert.ok(await me(tokens.access_token))
  house.clock.advance(299_000)
  assert.ok(await me(tokens.access_token))
  house.clock.advance(10_000)
  await assert.rejects(me(tokens.access_token), problem('unauthenticated'))
  const next = await refresh(tokens.refresh_token)
  assert.equal(next.status, 200)
  house.clock.advance(1_800_000)
  assert.equal((await refresh(String(next.body['refresh_token']))).body['error'], 'invalid_grant')
})

test('a session ends after thirty days however often it is refreshed', async () => {
  let { refresh_token } = await house.signIn(adminEmail, adminPassword)
  await house.database.across.query(sql`update sessions set created_at = created_at - interval '30 days'`)
  const old = await refresh(refresh_token)
  assert.equal(old.status, 400)
  ;({ refresh_token } = await house.signIn(adminEmail, adminPassword))
  assert.equal((await refresh(refresh_token)).status, 200)
})

test('an API key is exchanged for tokens by form and by Basic, and the tokens act as the API key', async () => {
  const { id, key } = await makeKey(['can_write'])
  const posted = await exchange(key)
  assert.equal(posted.status, 200)
  assert.equal(posted.body['scope'], '*:read *:write')
  assert.ok(posted.body['refresh_token'])
  const header = `Basic ${Buffer.from(`swath:${key}`).toString('base64')}`
  const basic = await house.form('token', { grant_type: 'client_credentials' }, { authorization: header })
  assert.equal(basic.status, 200)
  const next = await refresh(String(basic.body['refresh_token']))
  for (const body of [posted.body, basic.body, next.body]) {
    const known = await me(String(body['access_token']))
    assert.equal(known['kind'], 'api_key')
    const principal = await house.identity.authenticate(
      { authorization: `Bearer ${String(body['access_token'])}`, apiKey: null, address: '' },
      { public: false, scope: null },
    )
    assert.equal(principal.kind, 'api_key')
    assert.equal(principal.id, id)
    assert.equal(principal.user, house.admin.id)
    assert.deepEqual(principal.flags, ['can_write'])
  }
})

test('an unknown client gets invalid_client, with the scheme that it used', async () => {
  const wrong = await exchange('swath_nothing')
  assert.equal(wrong.status, 401)
  assert.equal(wrong.body['error'], 'invalid_client')
  const { key } = await makeKey([])
  const header = `Basic ${Buffer.from(`other:${key}`).toString('base64')}`
  const other = await house.form('token', { grant_type: 'client_credentials' }, { authorization: header })
  assert.equal(other.status, 401)
  assert.match(String(other.headers['www-authenticate']), /^Basic/)
})

test('an API key is accepted as Bearer and as X-API-Key; two different callers are rejected', async () => {
  const first = await makeKey(['can_read'])
  const second = await makeKey(['can_read'])
  const call = (authorization: string | null, apiKey: string | null) =>
    house.opWith('users.me', { authorization, apiKey })
  assert.equal((await call(`Bearer ${first.key}`, null))['kind'], 'api_key')
  assert.equal((await call(null, first.key))['kind'], 'api_key')
  assert.equal((await call(`Bearer ${first.key}`, first.key))['kind'], 'api_key')
  const exchanged = await exchange(first.key)
  assert.equal((await call(`Bearer ${String(exchanged.body['access_token'])}`, first.key))['kind'], 'api_key')
  await assert.rejects(call(`Bearer ${first.key}`, second.key), problem('unauthenticated'))
  const { access_token } = await house.signIn(adminEmail, adminPassword)
  await assert.rejects(call(`Bearer ${access_token}`, first.key), problem('unauthenticated'))
  for (const header of ['', 'Bearer', 'Bearer a b', `Basic ${first.key}`, `Bearer ${first.key}x`, 'Bearer swath_']) {
    await assert.rejects(call(header, null), problem('unauthenticated'))
  }
  await assert.rejects(call(null, null), problem('unauthenticated'))
})

test('revoking a key ends it and all tokens issued for it at once', async () => {
  const { id, key } = await makeKey(['can_read'])
  const { body } = await exchange(key)
  assert.ok(await me(key))
  assert.ok(await me(String(body['access_token'])))
  const { access_token } = await house.signIn(adminEmail, adminPassword)
  await house.op('api_keys.revoke', access_token, { key_id: id.toUpperCase() })
  await assert.rejects(me(key), problem('unauthenticated'))
  await assert.rejects(me(String(body['access_token'])), problem('unauthenticated'))
  assert.equal((await refresh(String(body['refresh_token']))).status, 400)
  assert.equal((await exchange(key)).status, 401)
})

test('the tokens of a key expire with the key', async () => {
  const { key } = await makeKey(['can_read'], { expires_in_days: 1 })
  house.clock.advance(24 * 3600 * 1000 - 60_000)
  const { body } = await exchange(key)
  assert.ok(await me(key))
  assert.ok(await me(String(body['access_token'])))
  house.clock.advance(61_000)
  await assert.rejects(me(key), problem('unauthenticated'))
  await assert.rejects(me(String(body['access_token'])), problem('unauthenticated'))
})

test('after the first call a token is verified without queries', async () => {
  const { key } = await makeKey(['can_read'])
  const { access_token } = await house.signIn(adminEmail, adminPassword)
  const asked = { public: false, scope: null }
  const { across } = house.database
  const query = across.query
  let queries = 0
  across.query = (statement) => {
    queries += 1
    return query(statement)
  }
  try {
    for (const token of [key, access_token]) {
      const credentials = { authorization: `Bearer ${token}`, apiKey: null, address: '' }
      await house.identity.authenticate(credentials, asked)
      const before = queries
      assert.ok(before > 0)
      for (let count = 0; count < 50; count += 1) await house.identity.authenticate(credentials, asked)
      assert.equal(queries, before)
    }
  } finally {
    across.query = query
  }
})

test('a change committed by another process takes effect with the next poll', async () => {
  const { access_token } = await house.signIn(adminEmail, adminPassword)
  const { sid } = JSON.parse(Buffer.from(access_token.split('.')[1]!, 'base64url').toString()) as { sid: string }
  assert.ok(await me(access_token))
  await house.database.across.transaction(async (tx) => {
    await tx.query(sql`update sessions set revoked_at = created_at where id = ${sid}`)
    await tx.query(sql`insert into principal_changes (id, subject) values (gen_random_uuid(), ${`session:${sid}`})`)
  })
  await house.identity.poll()
  await assert.rejects(me(access_token), problem('unauthenticated'))
})

test('closing an organization ends the tokens of its users and keys', async () => {
  const founder = await house.founder()
  const made = await house.op('api_keys.create', founder.token, { name: 'Key', permissions: ['can_read'] })
  const key = String(made['key'])
  const organization = async (): Promise<string | null> => {
    const credentials = { authorization: `Bearer ${founder.token}`, apiKey: null, address: '127.0.0.1' }
    return (await house.identity.authenticate(credentials, { public: false, scope: null })).organization
  }
  assert.equal(await organization(), founder.organization)
  assert.ok(await me(key))
  await house.database.across.transaction(async (tx) => {
    await tx.query(sql`update organizations set status = 'deleted' where organization_id = ${founder.organization}`)
    await announceChange(tx, `organization:${founder.organization}`)
  })
  assert.equal(await organization(), null)
  await assert.rejects(me(key), problem('unauthenticated'))
})

test('a disabled user can neither sign in nor use existing tokens', async () => {
  const founder = await house.founder()
  const member = await house.member(founder.token, 'member')
  assert.ok(await me(member.token))
  await house.database.across.query(sql`update users set disabled_at = created_at where id = ${member.id}`)
  const disabled = await password(member.email, member.password)
  const wrong = await password(adminEmail, 'wrong')
  assert.deepEqual(disabled.body, wrong.body)
  assert.equal((await refresh(member.refresh_token)).body['error'], 'invalid_grant')
  await assert.rejects(me(member.token), problem('unauthenticated'))
})

test('users and keys of a suspended organization can sign in and read', async () => {
  const founder = await house.founder()
  const { key } = (await house.op('api_keys.create', founder.token, { name: 'k', permissions: ['can_read'] })) as {
    key: string
  }
  await house.database.across.query(sql`
    update organizations set status = 'suspended' where organization_id = ${founder.organization}`)
  for (const { status, body } of [await password(founder.email, founder.password), await exchange(key)]) {
    assert.equal(status, 200)
    assert.ok(await house.op('projects.list', body['access_token'] as string, {}))
  }
})

test('access tokens verify against the published keys, and forged tokens are rejected', async () => {
  const { access_token } = await house.signIn(adminEmail, adminPassword)
  const certs = await house.app.inject({ method: 'GET', url: `${realm}/certs` })
  const set = certs.json<JSONWebKeySet>()
  assert.ok(set.keys.length >= 2, 'the next key is published in advance')
  for (const key of set.keys) assert.deepEqual(Object.keys(key).toSorted(), ['alg', 'e', 'kid', 'kty', 'n', 'use'])
  const { payload } = await jwtVerify(access_token, createLocalJWKSet(set), {
    issuer: `${base}/realms/public`,
    audience: 'swath',
    currentDate: house.clock.now(),
  })
  assert.equal(payload.sub, house.admin.id)
  assert.equal(payload['kind'], 'human')
  assert.equal(payload['organization'], house.admin.organization)

  const { kid } = decodeProtectedHeader(access_token)
  const [head, body] = access_token.split('.') as [string, string]
  const none = Buffer.from(JSON.stringify({ alg: 'none', kid })).toString('base64url')
  const forged = await new SignJWT({ ...payload })
    .setProtectedHeader({ alg: 'HS256', kid: String(kid) })
    .sign(Buffer.from(JSON.stringify(set.keys[0])))
  for (const token of [`${none}.${body}.`, `${head}.${body}.AAAA`, forged, 'a.b.c', `${access_token}A`]) {
    await assert.rejects(me(token), problem('unauthenticated'))
  }
})

test('userinfo returns the claims of the user by GET and POST', async () => {
  const { access_token, scope: granted } = await house.signIn(adminEmail, adminPassword)
  const headers = { authorization: `Bearer ${access_token}` }
  for (const method of ['GET', 'POST'] as const) {
    const answer = await house.app.inject({ method, url: `${realm}/userinfo`, headers })
    assert.equal(answer.statusCode, 200)
    const { scope, ...claims } = answer.json() as Record<string, string>
    assert.equal(scope, granted)
    assert.deepEqual(claims, {
      sub: house.admin.id,
      kind: 'human',
      email: adminEmail,
      preferred_username: adminEmail,
      name: 'Administrator',
      organization_id: house.admin.organization,
      role: 'owner',
    })
  }
  const refused = await house.app.inject({ method: 'GET', url: `${realm}/userinfo` })
  assert.equal(refused.statusCode, 401)
  assert.match(String(refused.headers['www-authenticate']), /^Bearer/)
})

test('userinfo accepts an API key in either header and returns its scopes', async () => {
  const { id, key } = await makeKey(['items:read', 'catalog:read'])
  for (const headers of [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }]) {
    const answer = await house.app.inject({ method: 'GET', url: `${realm}/userinfo`, headers })
    assert.equal(answer.statusCode, 200, answer.body)
    const { sub, kind, scope } = answer.json() as Record<string, string>
    assert.deepEqual([sub, kind, scope!.split(' ').toSorted()], [id, 'api_key', ['catalog:read', 'items:read']])
  }
  const wrong = { 'x-api-key': `${key}x` }
  assert.equal((await house.app.inject({ method: 'GET', url: `${realm}/userinfo`, headers: wrong })).statusCode, 401)
})

test('introspection distinguishes active and inactive tokens', async () => {
  const { key } = await makeKey(['can_read'])
  const tokens = await house.signIn(adminEmail, adminPassword)
  const introspect = async (token: string, more: Record<string, string> = { client_id: 'swath' }) =>
    (await house.form('token/introspect', { token, ...more })).body
  const access = await introspect(tokens.access_token)
  assert.equal(access['active'], true)
  assert.equal(access['sub'], house.admin.id)
  assert.equal(access['token_type'], 'Bearer')
  assert.equal(access['iss'], `${base}/realms/public`)
  assert.equal((access['exp'] as number) - (access['iat'] as number), 300)
  const refreshing = await introspect(tokens.refresh_token, { client_id: 'swath', client_secret: key })
  assert.equal(refreshing['active'], true)
  assert.equal((refreshing['exp'] as number) - (refreshing['iat'] as number), 1800)
  assert.equal((await introspect(key))['kind'], 'api_key')
  assert.deepEqual(await introspect('nothing'), { active: false })

  await refresh(tokens.refresh_token)
  assert.deepEqual(await introspect(tokens.refresh_token), { active: false }, 'it was used')
  const strangers: readonly Record<string, string>[] = [
    {},
    { client_id: 'other' },
    { client_id: 'swath', client_secret: 'wrong' },
  ]
  for (const more of strangers) {
    const refused = await house.form('token/introspect', { token: tokens.access_token, ...more })
    assert.equal(refused.status, 401)
    assert.equal(refused.body['error'], 'invalid_client')
  }
})

test('revocation and logout end the session, with any of its tokens', async () => {
  const ways = [
    (tokens: Record<string, unknown>) => house.form('revoke', { token: String(tokens['refresh_token']) }),
    (tokens: Record<string, unknown>) => house.form('revoke', { token: String(tokens['access_token']) }),
    (tokens: Record<string, unknown>) => house.form('logout', { refresh_token: String(tokens['refresh_token']) }),
    (tokens: Record<string, unknown>) =>
      house.form('logout', {}, { authorization: `Bearer ${String(tokens['access_token'])}` }),
  ]
  for (const end of ways) {
    const tokens = await house.signIn(adminEmail, adminPassword)
    assert.ok(await me(tokens.access_token))
    assert.equal((await end(tokens)).status, 200)
    await assert.rejects(me(tokens.access_token), problem('unauthenticated'))
    assert.equal((await refresh(tokens.refresh_token)).body['error'], 'invalid_grant')
  }
  assert.equal((await house.form('revoke', { token: 'nothing of ours' })).status, 200)
  assert.equal((await house.form('revoke', {})).body['error'], 'invalid_request')
  const { key } = await makeKey([])
  assert.equal((await house.form('revoke', { token: key })).body['error'], 'unsupported_token_type')
  assert.ok(await me(key))
})

test('logout redirects only to the origin of the platform', async () => {
  const go = async (target: string) =>
    house.app.inject({
      method: 'GET',
      url: `${realm}/logout?${new URLSearchParams({ post_logout_redirect_uri: target, state: 's' }).toString()}`,
    })
  const back = await go(`${base}/console`)
  assert.equal(back.statusCode, 302)
  assert.equal(back.headers['location'], `${base}/console?state=s`)
  for (const target of ['https://evil.example/', `${base}@evil.example/`, 'javascript:alert(1)', '//evil.example']) {
    assert.equal((await go(target)).statusCode, 200)
  }
})

test('discovery lists the available endpoints, under both URLs', async () => {
  const [first, second] = await Promise.all(
    ['/realms/public/.well-known/openid-configuration', `${realm}/.well-known/openid-configuration`].map((url) =>
      house.app.inject({ method: 'GET', url }),
    ),
  )
  assert.deepEqual(first!.json(), second!.json())
  const document = first!.json<Record<string, string | string[]>>()
  assert.equal(document['issuer'], `${base}/realms/public`)
  assert.deepEqual(document['grant_types_supported'], ['password', 'client_credentials', 'refresh_token'])
  assert.equal('authorization_endpoint' in document, false)
  for (const [name, value] of Object.entries(document)) {
    if (!name.endsWith('_endpoint') && name !== 'jwks_uri') continue
    const path = String(value).slice(base.length)
    const [get, post] = [
      await house.app.inject({ method: 'GET', url: path }),
      await house.app.inject({ method: 'POST', url: path }),
    ]
    assert.ok(get.statusCode !== 404 || post.statusCode !== 404, name)
  }
})

test('secrets are stored only as hashes', async () => {
  const { key } = await makeKey(['can_read'])
  const tokens = await house.signIn(adminEmail, adminPassword)
  for (const table of ['users', 'api_keys', 'api_key_directory', 'sessions', 'refresh_tokens', 'signing_key_ring']) {
    const rows = await house.database.across.query<{ row: string }>(sql`
      select to_jsonb(t)::text as row from ${sql.identifier(table, [table])} t`)
    const text = rows.map(({ row }) => row).join('\n')
    assert.ok(rows.length > 0, table)
    for (const secret of [key, tokens.refresh_token, adminPassword]) assert.equal(text.includes(secret), false, table)
    if (table === 'signing_key_ring') assert.equal(/"d":/.test(text), false)
  }
})

test('last_used_at of a key is written without delaying the call', async () => {
  const { id, key } = await makeKey(['can_read'])
  const usedAt = async () => {
    const [row] = await house.database.across.query<{ last_used_at: Date | null }>(sql`
      select last_used_at from api_keys where organization_id = ${house.admin.organization} and id = ${id}`)
    return row!.last_used_at
  }
  assert.equal(await usedAt(), null)
  await me(key)
  await house.identity.flush()
  assert.deepEqual(await usedAt(), house.clock.now())
})
