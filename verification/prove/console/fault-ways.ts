import assert from 'node:assert/strict'
import type { Page, Route } from 'playwright-core'
import { texts } from '../../../apps/console/src/texts.ts'
import { forbidden, intercept, serverError } from '../../console/interception.ts'
import { signIn, waitForConsole } from '../../console/sign-in.ts'
import type { Stage } from './stage.ts'
import type { Way } from './way.ts'

const ordersList = '**/v1/op/orders.list'
const silent_retries_ms = 20_000
const first = (page: Page, text: string | RegExp) => page.getByText(text).first()
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const waitForOrders = (page: Page): Promise<void> => page.locator('main ul li a').first().waitFor()

/** A fault, what a person reads of it, and how the work goes on. */
interface Fault {
  readonly name: string
  readonly run: (stage: Stage, look: (name: string) => Promise<void>) => Promise<void>
}

const faults: readonly Fault[] = [
  {
    name: 'the server cannot be reached',
    run: async ({ page, url }, look) => {
      await page.route('**/v1/**', (route) => route.abort('connectionrefused'))
      await page.goto(`${url}/orders`)
      await first(page, texts.problem.offline).waitFor({ timeout: silent_retries_ms })
      await look('unreachable')
      await page.unroute('**/v1/**')
      await button(page, texts.problem.retry).first().click()
      await waitForOrders(page)
    },
  },
  {
    name: 'the browser is offline while a screen is open',
    run: async ({ page, url }, look) => {
      await page.goto(`${url}/orders`)
      await waitForOrders(page)
      await page.context().setOffline(true)
      await first(page, texts.frame.connection.offline).waitFor()
      assert.ok((await page.locator('main ul li a').count()) > 0, 'what was read stays')
      await look('offline')
      await page.context().setOffline(false)
      await first(page, texts.frame.connection.offline).waitFor({ state: 'detached' })
    },
  },
  {
    name: 'the role does not permit it (403)',
    run: async ({ page, url }, look) => {
      await intercept(page, ['orders.list'], forbidden)
      await page.goto(`${url}/orders`)
      await first(page, texts.problem.scope('orders:read')).waitFor()
      assert.equal(await button(page, texts.problem.retry).count(), 0, 'asking again does not help')
      await look('forbidden')
      await page.unroute(ordersList)
    },
  },
  {
    name: 'too many calls (429), until the time is over',
    run: async ({ page, url }, look) => {
      const limited = { status: 429, problem: 'rate-limited', title: 'Rate limited', retry_after_s: 7 }
      await intercept(page, ['orders.list'], limited)
      await page.goto(`${url}/orders`)
      await button(page, /^Try again in \d s$/).waitFor()
      assert.ok(await button(page, /^Try again in \d s$/).isDisabled())
      await look('rate-limited')
      await page.unroute(ordersList)
      await button(page, texts.problem.retry).and(page.locator(':enabled')).click()
      await waitForOrders(page)
    },
  },
  {
    name: 'an error of the server (500) with its trace',
    run: async ({ page, url }, look) => {
      await intercept(page, ['orders.list'], serverError)
      await page.goto(`${url}/orders`)
      await first(page, /^Trace [0-9a-f]{32}$/).waitFor({ timeout: silent_retries_ms })
      await first(page, texts.problem.unexpected).waitFor()
      await look('internal')
      await page.unroute(ordersList)
      await button(page, texts.problem.retry).click()
      await waitForOrders(page)
    },
  },
  {
    name: 'a thing that is not there (404)',
    run: async ({ page, url }, look) => {
      await page.goto(`${url}/orders/01a00000-0000-7000-8000-000000000000`)
      await page.getByRole('alert').first().waitFor()
      assert.equal(await button(page, texts.problem.retry).count(), 0, 'asking again does not help')
      await look('not-found')
    },
  },
  {
    name: 'a slow server: the frame stands, then the content comes',
    run: async ({ page, url }, look) => {
      const slowly = async (route: Route): Promise<void> => {
        await new Promise((resolve) => setTimeout(resolve, 2500))
        await route.continue()
      }
      await page.route(ordersList, slowly)
      await page.goto(`${url}/orders`)
      await page.locator('main h1').waitFor()
      await page.waitForTimeout(500)
      assert.equal(await page.locator('main ul li a').count(), 0)
      await look('slow')
      await waitForOrders(page)
      await page.unroute(ordersList)
    },
  },
  {
    name: 'a provider that fails beside one that answers',
    run: async ({ page, url }, look) => {
      await page.route('**/v1/op/catalog.search_stream', (route) =>
        route.request().postData()?.includes('"commercial"') ? route.abort('connectionreset') : route.continue(),
      )
      await page.goto(`${url}/explore`)
      await page.locator('li[data-scene]').first().waitFor()
      await first(page, / is missing: /).waitFor({ timeout: silent_retries_ms })
      await look('host')
      await page.unroute('**/v1/op/catalog.search_stream')
    },
  },
  {
    name: 'too few credits when the order is placed (402)',
    run: async (stage, look) => {
      const { page, url } = stage
      await page.goto(`${url}/explore?host=commercial&v=-90,40,2`)
      await page.locator('li[data-scene] button[aria-pressed]').first().click()
      await button(page, texts.explore.addToCart).click()
      await page.getByRole('link', { name: new RegExp(texts.explore.openCart) }).click()
      await intercept(page, ['orders.archive.place'], {
        status: 402,
        problem: 'insufficient-credits',
        title: 'Insufficient credits',
        members: { required_credits: 10_000_000 },
      })
      await button(page, /^Buy \d/).click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Buy \d/ })
        .click()
      await page
        .getByRole('dialog')
        .getByText(/ are missing\. /)
        .waitFor()
      await look('insufficient-credits')
      await page.unroute('**/v1/op/orders.archive.place')
      await button(page, texts.ui.cancel).click()
    },
  },
  {
    name: 'a state that has changed meanwhile (409)',
    run: async ({ page, url }, look) => {
      const taken = { status: 409, problem: 'name-taken', title: 'Name taken' }
      await intercept(page, ['api_keys.create'], taken)
      await page.goto(`${url}/build`)
      await button(page, texts.build.newKey).click()
      await page.getByLabel(texts.build.name, { exact: true }).fill('Nightly search')
      await button(page, texts.build.create).click()
      await first(page, /api_keys\.create answered this on purpose/).waitFor()
      assert.equal(await page.getByLabel(texts.build.name, { exact: true }).inputValue(), 'Nightly search')
      await look('conflict')
      await page.unroute('**/v1/op/api_keys.create')
    },
  },
  {
    name: 'a session that was ended in another window (401)',
    run: async (stage, look) => {
      const { page, url, credentials, newPassword } = stage
      await page.goto(`${url}/orders`)
      await waitForOrders(page)
      const other = await page.context().newPage()
      await other.goto(url)
      await waitForConsole(other)
      await button(other, texts.account.account).click()
      await other.getByRole('menuitem', { name: texts.account.signOut }).click()
      await other.getByLabel(/^password/i).waitFor()
      // The window learns of it by itself.
      await page.getByLabel(/^password/i).waitFor()
      await look('signed-out')
      await signIn(page, { email: credentials.username, password: newPassword })
      await page.waitForURL(/\/orders/)
      await waitForOrders(page)
      await other.close()
    },
  },
]

/** One after another in one window: what failed before must not remain. */
export const faultWay: Way = {
  name: 'faults are explained, and the work goes on when they are over',
  run: async (stage) => {
    await stage.signIn()
    for (const fault of faults) {
      try {
        await fault.run(stage, (name) => stage.takePicture(name))
      } catch (error) {
        throw new Error(`${fault.name}: ${String(error)}`, { cause: error })
      }
    }
  },
}
