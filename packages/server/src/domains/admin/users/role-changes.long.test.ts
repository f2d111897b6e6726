import assert from 'node:assert/strict'
import { problemOf } from '../../../../test/call-operation.ts'
import { after, before, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import { assertEventually, startTestApp, type TestApp } from '../../../../test/test-app.ts'
import { createTestUser, testPassword } from '../../../../test/test-organizations.ts'
import { newId } from '../../../platform/ids.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app?.close())

const reason = 'The test asks for it.'

interface Change {
  readonly id: string
  readonly status: string
  readonly decided_alone: boolean
}

interface Person {
  readonly user: string
  readonly email: string
}

/** A new sign-in, whose tokens have the roles that the user has by now. */
const signIn = ({ email }: Person): Client => app.createClientFor(email, testPassword)

const createPerson = (): Promise<Person> => createTestUser(app)

const setRoles = (client: Client, user_id: string, roles: object): Promise<Change> =>
  client.call<Change>('admin.users.set_roles', { user_id, ...roles, reason })

const decide = (client: Client, verb: 'approve' | 'reject', role_change_id: string): Promise<Change> =>
  client.call<Change>(`admin.role_changes.${verb}`, { role_change_id, reason })

const isOperator = async (client: Client): Promise<boolean> =>
  (await problemOf(client.call('admin.users.list', { limit: 1 }))) === 'ok'

/** In the order of the file: the platform has one operator, who appoints the second alone, and from then on two decide. */
test('the only operator appoints the second one alone; from then on another operator approves', async () => {
  const [second, third] = [await createPerson(), await createPerson()]
  assert.equal(await problemOf(setRoles(signIn(second), second.user, { operator: true })), 'insufficient-scope')
  const first = await setRoles(app.admin, second.user, { operator: true })
  assert.deepEqual([first.status, first.decided_alone], ['approved', true])
  const appointed = signIn(second)
  assert.equal(await isOperator(appointed), true)

  const change = await setRoles(app.admin, third.user, { operator: true, clip_user: true })
  assert.deepEqual([change.status, change.decided_alone], ['pending', false])
  assert.equal(await problemOf(setRoles(app.admin, third.user, { clip_user: true })), 'invalid-state', 'one waits')
  assert.equal(await problemOf(decide(app.admin, 'approve', change.id)), 'forbidden', 'not who requested it')
  assert.equal(await problemOf(decide(app.admin, 'approve', newId())), 'not-found')
  assert.equal((await decide(appointed, 'approve', change.id)).status, 'approved')
  assert.equal(await problemOf(decide(appointed, 'approve', change.id)), 'already-decided')
  assert.equal(await problemOf(decide(appointed, 'reject', change.id)), 'already-decided')
  const { users } = await app.admin.call<{ users: { id: string; administrator: boolean; clip_user: boolean }[] }>(
    'admin.users.list',
    {},
  )
  const shown = users.find(({ id }) => id === third.user)
  assert.deepEqual([shown?.administrator, shown?.clip_user], [true, true])

  const own = await setRoles(app.admin, second.user, { operator: false })
  assert.equal(await problemOf(decide(appointed, 'approve', own.id)), 'forbidden', 'not whom it is about')
  assert.equal((await decide(signIn(third), 'approve', own.id)).status, 'approved')
  await assertEventually(async () => assert.equal(await isOperator(appointed), false))
})

interface OperatedUser {
  readonly id: string
  readonly email: string
  readonly administrator: boolean
  readonly clip_user: boolean
}

/** The operators other than the first one; none of them is disabled between tests. */
async function listOtherOperators(): Promise<Person[]> {
  const { users } = await app.admin.call<{ users: OperatedUser[] }>('admin.users.list', {})
  const me = await app.admin.call<{ user: { id: string } }>('users.me', {})
  return users
    .filter(({ id, administrator }) => administrator && id !== me.user.id)
    .map(({ id: user, email }) => ({ user, email }))
}

test('who disables all other operators does not become the only one, and a change changes something', async () => {
  const { user } = await createPerson()
  assert.equal(await problemOf(setRoles(app.admin, user, { operator: false, clip_user: false })), 'invalid-state')
  assert.equal(await problemOf(setRoles(app.admin, user, {})), 'invalid-state')
  assert.equal(await problemOf(setRoles(app.admin, newId(), { operator: true })), 'not-found')
  const others = await listOtherOperators()
  assert.ok(others.length > 0)
  for (const other of others) await app.admin.call('admin.users.disable', { user_id: other.user, reason })
  const change = await setRoles(app.admin, user, { operator: true })
  assert.equal(change.status, 'pending')
  for (const other of others) await app.admin.call('admin.users.enable', { user_id: other.user, reason })
  assert.equal((await decide(signIn(others[0]!), 'reject', change.id)).status, 'rejected')
})

test('a change that was requested by who is not an operator any more is not approved', async () => {
  const [requester] = await listOtherOperators()
  const { user } = await createPerson()
  const change = await setRoles(signIn(requester!), user, { operator: true })
  await app.admin.call('admin.users.disable', { user_id: requester!.user, reason })
  assert.equal(await problemOf(decide(app.admin, 'approve', change.id)), 'invalid-state')
  assert.equal((await decide(app.admin, 'reject', change.id)).status, 'rejected')
  await app.admin.call('admin.users.enable', { user_id: requester!.user, reason })
})

test('two operators who approve at once that the other loses the role: one of them stays', async () => {
  const [other] = await listOtherOperators()
  const me = await app.admin.call<{ user: { id: string } }>('users.me', {})
  const third = await createPerson()
  const appointment = await setRoles(app.admin, third.user, { operator: true })
  await decide(signIn(other!), 'approve', appointment.id)
  const helper = signIn(third)
  const changes = [
    await setRoles(helper, me.user.id, { operator: false }),
    await setRoles(helper, other!.user, { operator: false }),
  ]
  const outcomes = await Promise.all([
    problemOf(decide(signIn(other!), 'approve', changes[0]!.id)),
    problemOf(decide(app.admin, 'approve', changes[1]!.id)),
  ])
  assert.deepEqual(outcomes.filter((outcome) => outcome === 'ok').length, 1, String(outcomes))
  const isFirstLeft = outcomes[1] === 'ok'
  const left = isFirstLeft ? app.admin : signIn(other!)
  const lost = isFirstLeft ? other!.user : me.user.id
  assert.equal(await isOperator(left), true)
  const back = await setRoles(left, lost, { operator: true })
  await decide(helper, 'approve', back.id)
})

test('a clip user has the scopes that were asked for at the next sign-in, and loses them at once', async () => {
  const person = await createPerson()
  const listAreas = (as: Client): Promise<string> => problemOf(as.call('clip.areas.list', {}))
  assert.equal(await listAreas(signIn(person)), 'insufficient-scope')
  const [other] = await listOtherOperators()
  const change = async (clip_user: boolean): Promise<void> => {
    const { id } = await setRoles(app.admin, person.user, { clip_user })
    await decide(signIn(other!), 'approve', id)
  }
  await change(true)
  const again = signIn(person)
  assert.equal(await listAreas(again), 'no-organization', 'the scope is not missing any more')
  await change(false)
  await assertEventually(async () => assert.equal(await listAreas(again), 'insufficient-scope'))
})
