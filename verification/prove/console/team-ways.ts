import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { texts } from '../../../apps/console/src/texts.ts'
import { createPersonClient } from '../../console/sample-data.ts'
import { waitForConsole, type Person } from '../../console/sign-in.ts'
import { button, buySelection, chooseFirstScene } from './steps.ts'
import { createWay, time_limits, type Stage, type Way } from './stage.ts'

const { team, frame, account } = texts
const password = 'a password of the invited person'

const newAddress = (name: string): string => `${name}${Math.round(performance.now())}@example.com`
const newName = (name: string): string => `${name} ${Math.round(performance.now())}`

const openTab = (page: Page, name: string): Promise<void> =>
  page.getByRole('navigation', { name: team.tabs }).getByRole('link', { name, exact: true }).click()

/** Invites an address on the screen of invitations. */
async function inviteOnPage(page: Page, email: string, role: keyof typeof team.roles): Promise<void> {
  await page.getByRole('link', { name: frame.places.team, exact: true }).click()
  await openTab(page, team.invitations)
  await page.getByLabel(team.invitation.email, { exact: true }).fill(email)
  await page.getByLabel(team.member.role, { exact: true }).selectOption(role)
  await button(page, team.invitation.invite).click()
  await page.getByText(team.invitation.sent(email)).waitFor()
}

/** The invited person makes an account on the page behind the link, and is in the console. */
async function acceptWithNewAccount(stage: Stage, email: string, name: string): Promise<Page> {
  const page = await stage.openStrangersPage()
  await page.goto(await stage.readMailedLink(email))
  await page.getByLabel(/^name/i).fill(name)
  await page.getByLabel('Password', { exact: true }).fill(password)
  const again = page.getByLabel(/again/i)
  if ((await again.count()) > 0) await again.fill(password)
  await page.getByRole('button', { name: 'Create an account and join' }).click()
  await waitForConsole(page)
  return page
}

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
  await openTab(stage.page, team.members)
  await stage.page.getByRole('region', { name: name }).waitFor()
})

/** An account of the organization whose password its person has chosen. */
async function createMember(stage: Stage, name: string, role: 'admin' | 'member'): Promise<Person> {
  const email = newAddress('member')
  const owner = createPersonClient(stage.url, stage.person)
  const { one_time_password } = await owner.call('organizations.members.add', { email, name, role })
  return { email, password: one_time_password! }
}

/** What a leaver has made stops, and goes on for who takes it over. */
const leaver = createWay('an owner removes a member, and takes over what the member has made', async (stage) => {
  const { page, url } = stage
  const member = await createMember(stage, newName('Leo Leaver'), 'admin')
  const client = createPersonClient(url, member)
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
  await button(page, team.stopped.done).click()
  await assert.rejects(client.call('users.me', {}))
})

/** A person in two organizations switches to their own; its former owner is an administrator of it afterwards. */
const successor = createWay('an owner hands an organization over, and is an administrator of it', async (stage) => {
  const { url, person } = stage
  const [first, second] = [newAddress('ada'), newAddress('olga')]
  await createPersonClient(url, person).call('organizations.invitations.create', { email: first })
  const page = await acceptWithNewAccount(stage, first, 'Ada First')
  const ada = createPersonClient(url, { email: first, password })
  const { organization: joined } = await ada.call('users.me', {})
  const name = newName('Handed over')
  const { id } = await ada.call<{ id: string }>('organizations.create', { name })
  await page.reload()
  await waitForConsole(page)
  await switchOrganization(page, name)
  await inviteOnPage(page, second, 'member')
  await acceptWithNewAccount(stage, second, 'Olga Owner')
  await openTab(page, team.members)
  await page.getByRole('button', { name: team.member.handOverNamed('Olga Owner') }).click()
  await page.getByRole('dialog').getByRole('button', { name: team.member.handOver, exact: true }).click()
  await page.getByRole('region', { name: 'Olga Owner' }).getByText(team.roles.owner, { exact: true }).waitFor()
  const me = await createPersonClient(url, { email: second, password }).call('users.me', {})
  assert.deepEqual([me.organization?.id, me.organization?.role], [id, 'owner'])
  await switchOrganization(page, joined!.name)
  const { organizations } = await ada.call('users.organizations.list', {})
  assert.equal(organizations.find((organization) => organization.default)?.id, joined!.id)
  await page.getByRole('link', { name: frame.places.team, exact: true }).click()
  await button(page, team.leave.label(joined!.name)).waitFor()
})

/** In the account menu; the page is loaded again with what belongs to the organization. */
async function switchOrganization(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: account.account, exact: true }).click()
  await Promise.all([page.waitForEvent('load'), page.getByRole('menuitemradio', { name }).click()])
  await waitForConsole(page)
}

export const teamWays: readonly Way[] = [invited, leaver, successor]
