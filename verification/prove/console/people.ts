import type { Page } from 'playwright-core'
import { texts } from '../../../apps/console/src/texts.ts'
import { personTexts } from '../../../apps/console/src/texts/person.ts'
import { createPersonClient } from '../../console/sample-data.ts'
import { replacePassword, signIn, waitForConsole, type Person } from '../../console/sign-in.ts'
import { button } from './steps.ts'
import type { Stage } from './stage.ts'

const { team, account } = texts

/** The password that people of the ways choose. */
export const ownPassword = 'a password that only they know'

export const newAddress = (name: string): string => `${name}${Math.round(performance.now())}@example.com`
export const newName = (name: string): string => `${name} ${Math.round(performance.now())}`

/** A member of the first organization with a password of their own, signed in in a window of their own. */
export interface MemberAtConsole extends Person {
  readonly name: string
  readonly page: Page
}

/** An account that an owner has made, whose person has replaced the one-time password. */
export async function openMember(
  stage: Stage,
  first: string,
  role: 'admin' | 'member' = 'member',
): Promise<MemberAtConsole> {
  const [email, name] = [newAddress(first.toLowerCase()), newName(first)]
  const { one_time_password } = await clientOf(stage, stage.person).call('organizations.members.add', {
    email,
    name,
    role,
  })
  const page = await stage.openStrangersPage()
  await page.goto(stage.url)
  await signIn(page, { email, password: one_time_password! })
  await replacePassword(page, ownPassword)
  await waitForConsole(page)
  return { email, password: ownPassword, name, page }
}

export const clientOf = ({ url }: Stage, person: Person) => createPersonClient(url, person)

/** A page of the menu of the account. */
export async function openAccount(page: Page, tab: keyof typeof accountTabs = 'profile'): Promise<void> {
  await openAccountMenu(page)
  await page.getByRole('menuitem', { name: account.settings }).click()
  const tabs = page.getByRole('navigation', { name: personTexts.tabs })
  await tabs.getByRole('link', { name: accountTabs[tab], exact: true }).click()
}

const accountTabs = { profile: personTexts.profile, signIn: personTexts.signIn, sessions: personTexts.sessions }

export const openAccountMenu = (page: Page): Promise<void> =>
  page.getByRole('button', { name: account.account, exact: true }).click()

/** Ends with the sign-in page. */
export async function signOut(page: Page): Promise<void> {
  await openAccountMenu(page)
  await page.getByRole('menuitem', { name: account.signOut }).click()
  await waitForSignInPage(page)
}

/** The console of a session that has ended goes there by itself. */
export const waitForSignInPage = (page: Page): Promise<void> =>
  page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()

/** In the account menu; the page is loaded again with what belongs to the organization. */
export async function switchOrganization(page: Page, name: string): Promise<void> {
  await openAccountMenu(page)
  await Promise.all([page.waitForEvent('load'), page.getByRole('menuitemradio', { name }).click()])
  await waitForConsole(page)
}

export const openTeamTab = (page: Page, name: string): Promise<void> =>
  page.getByRole('navigation', { name: team.tabs }).getByRole('link', { name, exact: true }).click()

/** Invites an address on the screen of invitations. */
export async function inviteOnPage(page: Page, email: string, role: keyof typeof team.roles): Promise<void> {
  await page.getByRole('link', { name: texts.frame.places.team, exact: true }).click()
  await openTeamTab(page, team.invitations)
  await page.getByLabel(team.invitation.email, { exact: true }).fill(email)
  await page.getByLabel(team.member.role, { exact: true }).selectOption(role)
  await button(page, team.invitation.invite).click()
  await page.getByText(team.invitation.sent(email)).waitFor()
}

/** The invited person makes an account on the page behind the link, and is in the console. */
export async function acceptWithNewAccount(stage: Stage, email: string, name: string): Promise<Page> {
  const page = await stage.openStrangersPage()
  await page.goto(await stage.readMailedLink(email))
  await page.getByLabel(/^name/i).fill(name)
  await page.getByLabel('Password', { exact: true }).fill(ownPassword)
  await page.getByLabel('Password, again').fill(ownPassword)
  await stage.inspect(page, 'invitation')
  await page.getByRole('button', { name: 'Create an account and join' }).click()
  await waitForConsole(page)
  return page
}
