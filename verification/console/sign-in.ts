import type { Page } from 'playwright-core'

export interface Person {
  readonly email: string
  readonly password: string
}

/** Signs in on the sign-in page, which the console has opened. */
export async function signIn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel(/e-?mail/i).fill(email)
  await page.getByLabel(/^password/i).fill(password)
  await page.keyboard.press('Enter')
}

/** Signs in to the page for a new password, which a one-time password leads to as well. */
export async function signInToChangePassword(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel(/e-?mail/i).fill(email)
  await page.getByLabel(/^password/i).fill(password)
  await page.getByRole('button', { name: 'Sign in and change the password' }).click()
}

/** Replaces the password on the page for a new one. */
export async function replacePassword(page: Page, password: string): Promise<void> {
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByLabel('New password, again').fill(password)
  await page.keyboard.press('Enter')
}

/** Waits until the console is open: its panel has a title. The sign-in page has a title as well, but no panel. */
export const waitForConsole = (page: Page): Promise<void> =>
  page.locator('#panel h1').first().waitFor({ timeout: 90_000 })
