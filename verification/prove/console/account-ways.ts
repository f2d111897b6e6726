import assert from 'node:assert/strict'
import { personTexts } from '../../../apps/console/src/texts/person.ts'
import { signIn, waitForConsole } from '../../console/sign-in.ts'
import {
  clientOf,
  newAddress,
  openAccount,
  openMember,
  signOut,
  waitForSignInPage,
  type MemberAtConsole,
} from './people.ts'
import { button } from './steps.ts'
import { createWay, type Stage, type Way } from './stage.ts'

const { email: emailTexts, leave, session } = personTexts
const laterPassword = 'another password that only they know'

/** Chooses another password on the page behind a link in an e-mail. */
async function choosePassword(stage: Stage, email: string): Promise<void> {
  const page = await stage.openStrangersPage()
  await page.goto(await stage.readMailedLink(email, 'Choose a new password'))
  await stage.inspect(page, 'reset-choice')
  await page.getByLabel('New password', { exact: true }).fill(laterPassword)
  await page.getByLabel('New password, again').fill(laterPassword)
  await button(page, 'Save').click()
  await page.getByText('Sign in with the new password').waitFor()
  await stage.inspect(page, 'reset-done')
  await page.getByRole('link', { name: 'Sign in' }).click()
  await waitForSignInPage(page)
}

const refusesPassword = async (
  stage: Stage,
  { email, password }: Pick<MemberAtConsole, 'email' | 'password'>,
): Promise<void> => assert.rejects(clientOf(stage, { email, password }).call('users.me', {}), 'the former password')

const forgetful = createWay('a person who forgot the password chooses another with a link', async (stage) => {
  const member = await openMember(stage, 'Fred')
  const page = await stage.openStrangersPage()
  await page.goto(stage.url)
  await waitForSignInPage(page)
  await stage.inspect(page, 'sign-in')
  await signIn(page, { email: member.email, password: 'what was it' })
  await page.getByRole('alert').getByText('The e-mail or the password is wrong.').waitFor()
  await stage.inspect(page, 'sign-in-refused')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await stage.inspect(page, 'reset-request')
  await page.getByLabel(/e-?mail/i).fill(member.email)
  await button(page, 'Send a link').click()
  await page.getByRole('heading', { name: 'Look into your e-mails' }).waitFor()
  await stage.inspect(page, 'reset-sent')
  await choosePassword(stage, member.email)
  await waitForSignInPage(member.page)
  await stage.inspect(member.page, 'session-ended')
  await refusesPassword(stage, member)
  await signIn(member.page, { ...member, password: laterPassword })
  await waitForConsole(member.page)
})

const mover = createWay(
  'a person takes another e-mail address, and the former one brings itself back',
  async (stage) => {
    const member = await openMember(stage, 'Mia')
    const { page } = member
    const moved = newAddress('moved')
    await openAccount(page)
    await page.getByLabel(emailTexts.address, { exact: true }).fill(moved)
    await button(page, emailTexts.change).click()
    await page.getByText(emailTexts.sent(moved)).waitFor()
    const other = await stage.openStrangersPage()
    await other.goto(await stage.readMailedLink(moved, 'Confirm your e-mail address'))
    await stage.inspect(other, 'email-confirmation')
    await button(other, 'Use this address').click()
    await other.getByRole('heading', { name: 'The address was confirmed' }).waitFor()
    await refusesPassword(stage, member)
    await signOut(page)
    await signIn(page, { ...member, email: moved })
    await waitForConsole(page)
    await other.goto(await stage.readMailedLink(member.email, 'Another e-mail address for your account'))
    await stage.inspect(other, 'email-refusal')
    await button(other, 'This was not me: refuse it').click()
    await other.getByRole('heading', { name: 'The other address was refused' }).waitFor()
    await refusesPassword(stage, { ...member, email: moved })
    await waitForSignInPage(page)
    await choosePassword(stage, member.email)
    await signIn(page, { ...member, password: laterPassword })
    await waitForConsole(page)
  },
)

const traveller = createWay('a person ends the session of another browser, which is signed out', async (stage) => {
  const { page, ...person } = await openMember(stage, 'Tess')
  const other = await stage.openStrangersPage()
  await other.goto(stage.url)
  await signIn(other, person)
  await waitForConsole(other)
  await openAccount(page, 'sessions')
  const rows = page.getByRole('article', { name: session.kinds.browser, exact: true })
  await rows.nth(1).waitFor()
  assert.equal(await rows.count(), 2)
  assert.equal(await rows.getByText(session.current).count(), 1, 'this browser is named')
  await stage.inspect(page, 'sessions')
  await button(page, session.endNamed(session.kinds.browser)).click()
  await page.getByRole('dialog').getByRole('button', { name: session.end, exact: true }).click()
  await rows.nth(1).waitFor({ state: 'detached' })
  await waitForSignInPage(other)
  await page.reload()
  await page.getByRole('article', { name: session.kinds.browser, exact: true }).first().waitFor()
})

/** There is no time to think again: it is final, and the address is free. */
const goer = createWay(
  'a person deletes the account, and what belongs to the organization stays there',
  async (stage) => {
    const member = await openMember(stage, 'Gus', 'admin')
    const { page, email, password, name } = member
    const key = await clientOf(stage, member).call('api_keys.create', {
      name: `of ${email}`,
      permissions: ['can_read'],
    })
    await openAccount(page)
    await button(page, leave.remove).click()
    const dialog = page.getByRole('dialog')
    await stage.inspect(page, 'delete-account')
    assert.ok(await dialog.getByRole('button', { name: leave.remove }).isDisabled(), 'it takes the password')
    await dialog.getByLabel(personTexts.confirm.password).fill(password)
    await dialog.getByRole('button', { name: leave.remove }).click()
    await waitForSignInPage(page)
    await signIn(page, member)
    await page.getByText('The e-mail or the password is wrong.').waitFor()
    const owner = clientOf(stage, stage.person)
    const { members } = await owner.call('organizations.members.list', {})
    assert.ok(!members.some((other) => other.email === email || other.name === name), 'not a member any more')
    const { delegations } = await owner.call('organizations.delegations.list', {})
    const stopped = delegations.find(({ id }) => id === key.id)
    assert.equal(stopped?.stop_reason, 'user_left', 'the key stays, and stops')
    await owner.call('organizations.delegations.take_over', { kind: 'api_key', delegation_id: key.id })
    const { one_time_password } = await owner.call('organizations.members.add', { email, name, role: 'member' })
    assert.ok(one_time_password, 'the address is free for another account')
  },
)

/** What a person reads on the way to a new password, by the language of the browser. */
const languages = {
  de: { signIn: 'Anmelden', wrong: 'Die E-Mail-Adresse oder das Passwort ist falsch.', forgotten: 'Passwort vergessen?', send: 'Link senden', sent: 'Sehen Sie in Ihre E-Mails', choose: 'Neues Passwort wählen' }, // prettier-ignore
  fr: { signIn: 'Se connecter', wrong: 'L’adresse e-mail ou le mot de passe est incorrect.', forgotten: 'Mot de passe oublié ?', send: 'Envoyer un lien', sent: 'Consultez vos e-mails', choose: 'Choisissez un nouveau mot de passe' }, // prettier-ignore
} as const

const speaker = createWay('the pages of an account speak German and French', async (stage) => {
  const { email } = await openMember(stage, 'Lea')
  for (const [language, words] of Object.entries(languages)) {
    const page = await stage.openStrangersPage()
    await page.setExtraHTTPHeaders({ 'accept-language': language })
    await page.goto(stage.url)
    await page.getByRole('heading', { name: words.signIn, exact: true }).waitFor()
    assert.equal(await page.locator('html').getAttribute('lang'), language)
    await page.locator('#email').fill(email)
    await page.locator('#password').fill('what was it')
    await button(page, words.signIn).first().click()
    await page.getByText(words.wrong).waitFor()
    await stage.inspect(page, `sign-in-${language}`)
    await page.getByRole('link', { name: words.forgotten }).click()
    await page.locator('#email').fill(email)
    await button(page, words.send).click()
    await page.getByRole('heading', { name: words.sent }).waitFor()
    await page.goto(await stage.readMailedLink(email, 'Choose a new password'))
    await page.getByRole('heading', { name: words.choose }).waitFor()
    await stage.inspect(page, `reset-choice-${language}`)
  }
})

export const accountWays: readonly Way[] = [forgetful, mover, traveller, goer, speaker]
