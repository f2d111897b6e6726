import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '../../platform/ids.ts'
import { openPeopleHouse, problem, type PeopleHouse } from '../../../test/identity-setup.ts'

let house: PeopleHouse
before(async () => {
  house = await openPeopleHouse()
})
after(() => house?.close())

const list = (token: string, input = {}) => house.op('organizations.members.list', token, input)
const cap = (token: string, input: object) => house.op('organizations.members.set_spend_limit', token, input)
const window = (token: string, input = {}) => house.op('organizations.members.spend.get', token, input)

/** Creates an organization with one member of every role. */
async function staff() {
  const owner = await house.founder()
  const [admin, billing, member] = [
    await house.member(owner.token, 'admin'),
    await house.member(owner.token, 'billing'),
    await house.member(owner.token, 'member'),
  ]
  return { owner, admin, billing, member }
}

const keyOf = async (token: string): Promise<{ authorization: string }> => {
  const { key } = await house.op('api_keys.create', token, { name: 'k', permissions: ['can_read', 'can_write'] })
  return { authorization: `Bearer ${String(key)}` }
}

test('organizations.members.list shows all members with role and limits to owners and admins only', async () => {
  const { owner, admin, billing, member } = await staff()
  for (const token of [owner.token, admin.token]) {
    const { members, limit, offset, total } = await list(token, { organizationId: owner.organization.toUpperCase() })
    const rows = members as Record<string, unknown>[]
    assert.deepEqual(
      rows.map(({ user_id, role }) => [user_id, role]),
      [
        [owner.id, 'owner'],
        [admin.id, 'admin'],
        [billing.id, 'billing'],
        [member.id, 'member'],
      ],
    )
    assert.deepEqual([limit, offset, total], [4, 0, 4])
    assert.deepEqual(Object.keys(rows[0]!).sort(), [
      'created_at',
      'email',
      'name',
      'per_order_limit_credits',
      'role',
      'spend_limit_credits',
      'user_id',
    ])
  }
  for (const token of [billing.token, member.token]) await assert.rejects(list(token), problem('forbidden'))
  const other = await house.founder()
  for (const organizationId of [other.organization, newId()]) {
    await assert.rejects(list(owner.token, { organizationId }), problem('not-found'))
  }
  assert.equal(
    ((await house.opWith('organizations.members.list', await keyOf(admin.token))) as { total: number }).total,
    4,
  )
})

test('set_spend_limit sets numbers including 0, and clears limits that are null or omitted', async () => {
  const { owner, admin, member } = await staff()
  const capsOf = async (id: string) => {
    const { members } = (await list(owner.token)) as { members: Record<string, unknown>[] }
    const { per_order_limit_credits, spend_limit_credits } = members.find(({ user_id }) => user_id === id)!
    return [per_order_limit_credits, spend_limit_credits]
  }
  const rows: readonly (readonly [object, readonly [number | null, number | null]])[] = [
    [{ perOrderLimitCredits: 500, spendLimitCredits: 2000 }, [500, 2000]],
    [{ spendLimitCredits: 0 }, [null, 0]],
    [{ perOrderLimitCredits: 0, spendLimitCredits: null }, [0, null]],
    [{ perOrderLimitCredits: 7 }, [7, null]],
    [{}, [null, null]],
  ]
  for (const [input, [perOrder, limit]] of rows) {
    const answer = await cap(admin.token, { userId: member.id.toUpperCase(), ...input })
    assert.deepEqual(answer, { user_id: member.id, per_order_limit_credits: perOrder, spend_limit_credits: limit })
    assert.deepEqual(await capsOf(member.id), [perOrder, limit])
  }
  await cap(admin.token, { userId: owner.id, spendLimitCredits: 10, organizationId: owner.organization })
  assert.deepEqual(await capsOf(owner.id), [null, 10], 'owners can be limited, too')
  assert.deepEqual(await capsOf(admin.id), [null, null], 'other members are unchanged')
  for (const amount of [-1, 0.5, '5', 1e300, 2 ** 53]) {
    const refused = cap(owner.token, { userId: member.id, spendLimitCredits: amount })
    await assert.rejects(refused, problem('validation'), String(amount))
  }
  await assert.rejects(cap(owner.token, { spendLimitCredits: 5 }), problem('validation'))
})

test('set_spend_limit is allowed for owners and admins in person, for members of their own organization', async () => {
  const { owner, admin, billing, member } = await staff()
  const other = await house.founder()
  const input = { userId: member.id, spendLimitCredits: 5 }
  for (const { token } of [billing, member]) await assert.rejects(cap(token, input), problem('forbidden'))
  for (const userId of [other.id, newId()]) {
    await assert.rejects(cap(owner.token, { ...input, userId }), problem('not-found'), userId)
  }
  const elsewhere = { userId: other.id, organizationId: other.organization, spendLimitCredits: 5 }
  await assert.rejects(cap(owner.token, elsewhere), problem('not-found'))
  for (const person of [owner, admin]) {
    const key = await keyOf(person.token)
    await assert.rejects(house.opWith('organizations.members.set_spend_limit', key, input), problem('user-required'))
  }
  const { members } = (await list(other.token)) as { members: Record<string, unknown>[] }
  assert.equal(members[0]!['spend_limit_credits'], null)
})

test('members read their own spend window; owners and admins read those of others', async () => {
  const { owner, admin, billing, member } = await staff()
  await cap(owner.token, { userId: member.id, spendLimitCredits: 300 })
  const empty = { window_days: 30, window_used_credits: 0, frees: [] }
  const free = { per_order_limit_credits: null, spend_limit_credits: null, remaining_credits: null }
  assert.deepEqual(await window(billing.token), { user_id: billing.id, ...free, ...empty })
  const capped = { user_id: member.id, ...free, spend_limit_credits: 300, remaining_credits: 300, ...empty }
  for (const [person, input] of [
    [member, {}],
    [member, { userId: member.id.toUpperCase() }],
    [owner, { userId: member.id, organizationId: owner.organization }],
    [admin, { userId: member.id }],
  ] as const) {
    assert.deepEqual(await window(person.token, input), capped)
  }
  const byKey = await house.opWith('organizations.members.spend.get', await keyOf(admin.token))
  assert.equal(byKey['user_id'], admin.id, 'what a key spends counts for its issuer')
  const other = await house.founder()
  await assert.rejects(window(member.token, { userId: owner.id }), problem('forbidden'))
  await assert.rejects(window(billing.token, { userId: newId() }), problem('forbidden'))
  await assert.rejects(window(owner.token, { userId: other.id }), problem('not-found'))
  await assert.rejects(window(owner.token, { organizationId: other.organization }), problem('not-found'))
})
