import assert from 'node:assert/strict'
import { createClient } from '@swath/client/client.ts'
import { texts } from '../../../apps/console/src/texts.ts'
import { waitForConsole, type Person } from '../../console/sign-in.ts'
import {
  acceptWithNewAccount,
  clientOf,
  inviteOnPage,
  newAddress,
  newName,
  openTeamTab,
  ownPassword as password,
  switchOrganization,
} from './people.ts'
import { button, buySelection, chooseFirstScene } from './steps.ts'
import { createWay, time_limits, type Stage, type Way } from './stage.ts'

const { team, frame } = texts

/** From the invitation to the first order of the invited person. */
const invited = createWay('an owner invites somebody, who makes an account and places a first order', async (stage) => {
  const [email, name] = [newAddress('ina'), newName('Ina Invited')]
  await stage.signIn()
  await inviteOnPage(stage.page, email, 'admin')
  await stage.page.getByRole('article', { name: email }).getByText(team.invitation.states.pending).waitFor()
  await stage.takePicture('invitations')
  const page = await acceptWithNewAccount(stage, email, name)
  await chooseFirstScene(page)
  await buySelection(page)
  await page.getByText(texts.orders.states.FULFILLED).first().waitFor({ timeout: time_limits.work_ms })
  await stage.page.getByRole('article', { name: email }).getByText(team.invitation.states.accepted).waitFor()
  await openTeamTab(stage.page, team.members)
  await stage.page.getByRole('region', { name: name }).waitFor()
})

/** An account of the organization whose password its person has chosen. */
async function createMember(stage: Stage, name: string, role: 'admin' | 'member'): Promise<Person> {
  const email = newAddress('member')
  const owner = clientOf(stage, stage.person)
  const { one_time_password } = await owner.call('organizations.members.add', { email, name, role })
  return { email, password: one_time_password! }
}

/** What a leaver has made stops, and goes on for who takes it over. */
const leaver = createWay('an owner removes a member, and takes over what the member has made', async (stage) => {
  const { page, url } = stage
  const member = await createMember(stage, newName('Leo Leaver'), 'admin')
  const client = clientOf(stage, member)
  const { user } = await client.call('users.me', {})
  const key = await client.call('api_keys.create', { name: `of ${member.email}`, permissions: ['can_read'] })
  await stage.signIn()
  await page.getByRole('link', { name: frame.places.team, exact: true }).click()
  const row = page.getByRole('region', { name: user!.name! })
  await row.getByRole('button', { name: team.member.removeNamed(user!.name!) }).click()
  await page.getByRole('dialog').getByRole('button', { name: team.member.remove, exact: true }).click()
  await row.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: team.stopped.takeOverNamed(key.name) }).click()
  await page.getByRole('dialog').getByRole('button', { name: team.stopped.takeOver, exact: true }).click()
  await page.getByText(team.stopped.secret).waitFor()
  const taken = page.getByRole('region', { name: team.stopped.named(team.stopped.kinds.api_key, key.name) })
  const secret = (await taken.locator('code').first().textContent())!
  await button(page, team.stopped.done).click()
  await taken.waitFor({ state: 'detached' })
  await assert.rejects(client.call('users.me', {}))
  const [before, after] = [key.key, secret].map((token) => createClient({ baseUrl: url, token: async () => token }))
  await assert.rejects(before!.call('users.me', {}), 'the former secret')
  assert.equal((await after!.call('users.me', {})).kind, 'api_key')
})

/** A person in two organizations switches to their own; its former owner is an administrator of it afterwards. */
const successor = createWay('an owner hands an organization over, and is an administrator of it', async (stage) => {
  const { person } = stage
  const [first, second] = [newAddress('ada'), newAddress('olga')]
  await clientOf(stage, person).call('organizations.invitations.create', { email: first })
  const page = await acceptWithNewAccount(stage, first, 'Ada First')
  const ada = clientOf(stage, { email: first, password })
  const { organization: joined } = await ada.call('users.me', {})
  const name = newName('Handed over')
  const { id } = await ada.call<{ id: string }>('organizations.create', { name })
  await page.reload()
  await waitForConsole(page)
  await switchOrganization(page, name)
  await inviteOnPage(page, second, 'member')
  await acceptWithNewAccount(stage, second, 'Olga Owner')
  await openTeamTab(page, team.members)
  await page.getByRole('button', { name: team.member.handOverNamed('Olga Owner') }).click()
  await page.getByRole('dialog').getByRole('button', { name: team.member.handOver, exact: true }).click()
  await page.getByRole('region', { name: 'Olga Owner' }).getByText(team.roles.owner, { exact: true }).waitFor()
  const me = await clientOf(stage, { email: second, password }).call('users.me', {})
  assert.deepEqual([me.organization?.id, me.organization?.role], [id, 'owner'])
  await switchOrganization(page, joined!.name)
  const { organizations } = await ada.call('users.organizations.list', {})
  assert.equal(organizations.find((organization) => organization.default)?.id, joined!.id)
  await page.getByRole('link', { name: frame.places.team, exact: true }).click()
  await button(page, team.leave.label(joined!.name)).waitFor()
})

export const teamWays: readonly Way[] = [invited, leaver, successor]
