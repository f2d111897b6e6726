import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { readOutbox, recipientsOf } from '../../../packages/server/test/alerts/mail.ts'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { TestNameServer } from '../../../packages/server/test/federation/name-server.ts'
import type { TestProvider } from '../../../packages/server/test/federation/test-provider.ts'
import type { WebhookReceiver } from '../../../packages/server/test/webhooks/webhook-receiver.ts'
import { findViolations } from '../../console/accessibility.ts'
import { collectFaults, openContext, type Display } from '../../console/browser.ts'
import type { ConsoleServer } from '../../console/console-server.ts'
import type { OwnArchive } from '../../console/own-archive.ts'
import { createPersonClient } from '../../console/sample-data.ts'
import { signIn, waitForConsole, type Person } from '../../console/sign-in.ts'

/** The environment of a way: a browser window of its own, at a running server. */
export interface Stage {
  readonly page: Page
  readonly url: string
  /** A host of the server. */
  readonly archive: OwnArchive
  /** URL that receives the webhooks of the server. */
  readonly receiver: WebhookReceiver
  /** The name server that the server asks for records of domains. */
  readonly names: TestNameServer
  /** An OpenID Connect provider that the server may reach; it signs in whom its claims name. */
  readonly identityProvider: TestProvider
  /** The first user, with the one-time password that the first start printed. */
  readonly credentials: ConsoleServer['credentials']
  /** The password by which the first user replaces it. */
  readonly newPassword: string
  /** The first user with the new password. */
  readonly person: Person
  /** Signs in the first user, who has replaced the one-time password, on the sign-in page. */
  signIn(): Promise<void>
  /** A signed-in window of another browser. */
  openSecondPage(): Promise<Page>
  /** A window of another browser in which nobody is signed in. */
  openStrangersPage(): Promise<Page>
  /** The link in the newest e-mail to an address, or in the newest one about a subject, once there is one. */
  readMailedLink(email: string, subject?: string): Promise<string>
  readAvailableCredits(): Promise<number>
  /** Keeps a picture of the page, for people to look at. */
  takePicture(name: string): Promise<void>
  /** Keeps a picture of any page, and throws if axe finds fault with it. */
  inspect(page: Page, name: string): Promise<void>
  /** Errors that the pages threw or logged. */
  faults(): readonly string[]
  close(): Promise<void>
}

/** Waits for an e-mail to an address, and returns the first link in the newest one. */
async function readMailedLink(outbox: string, email: string, subject?: string): Promise<string> {
  for (const end_ms = performance.now() + time_limits.work_ms; performance.now() < end_ms;) {
    const mails = (await readOutbox(outbox)).filter(
      (mail) => recipientsOf(mail).includes(email) && (subject === undefined || mail.subject === subject),
    )
    const [link] = /https?:\S+/.exec(mails.at(-1)?.text ?? '') ?? []
    if (link !== undefined) return link
    await pause(200)
  }
  throw new Error(`no e-mail to ${email}${subject === undefined ? '' : ` about "${subject}"`}`)
}

/** What the server of a stage reaches. */
export type Surroundings = Pick<Stage, 'archive' | 'receiver' | 'names' | 'identityProvider'>

interface StageOptions extends Surroundings {
  readonly display: Display
  /** The folder for pictures. */
  readonly pictures: string
  /** The program that `readAxe` returns. */
  readonly axe: string
}

export async function openStage(
  browser: Browser,
  { url, credentials, outbox }: ConsoleServer,
  newPassword: string,
  { display, pictures, axe, ...surroundings }: StageOptions,
): Promise<Stage> {
  const contexts: BrowserContext[] = []
  const faults: string[][] = []
  const person: Person = { email: credentials.username, password: newPassword }
  const openPage = async (): Promise<Page> => {
    const context = await openContext(browser, display)
    contexts.push(context)
    const page = await context.newPage()
    page.setDefaultTimeout(time_limits.step_ms)
    faults.push(collectFaults(page))
    return page
  }
  const enter = async (page: Page): Promise<void> => {
    await page.goto(url)
    await signIn(page, person)
    await waitForConsole(page)
  }
  const page = await openPage()
  return {
    page,
    url,
    ...surroundings,
    credentials,
    newPassword,
    person,
    signIn: () => enter(page),
    openSecondPage: async () => {
      const other = await openPage()
      await enter(other)
      return other
    },
    openStrangersPage: openPage,
    readMailedLink: (email, subject) => readMailedLink(outbox, email, subject),
    readAvailableCredits: async () =>
      (await createPersonClient(url, person).call('billing.credits.balance', {})).available_credits,
    takePicture: async (name) => {
      await page.screenshot({ path: join(pictures, `${display.width}-${name}.png`) })
    },
    inspect: async (inspected, name) => {
      await inspected.screenshot({ path: join(pictures, `${display.width}-${name}.png`), fullPage: true })
      assert.deepEqual(await findViolations(inspected, axe), [], name)
    },
    faults: () => faults.flat(),
    close: async () => {
      for (const context of contexts) await context.close()
    },
  }
}

/**
 * Timeouts of a user path. The proof is that a person gets on, not how fast: the machine may run other tests beside the browser, and
 * speed is measured by `npm run bench -- console`.
 */
export const time_limits = {
  /** For a page to show the next step. */
  step_ms: 90_000,
  /** For deliveries, evaluations and computations of the server. */
  work_ms: 240_000,
} as const

/** A way of a person through the console. It throws where the person would be stuck. */
export interface Way<OnStage = Stage> {
  readonly name: string
  readonly run: (stage: OnStage) => Promise<void>
}

export const createWay = <OnStage = Stage>(name: string, run: Way<OnStage>['run']): Way<OnStage> => ({ name, run })
