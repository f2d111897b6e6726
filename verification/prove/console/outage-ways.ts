import assert from 'node:assert/strict'
import type { Request, Route } from 'playwright-core'
import { texts } from '../../../apps/console/src/texts.ts'
import {
  fillCart,
  long_ms,
  openOrders,
  operationUrl,
  orderRow,
  read,
  type ErrorStage,
  type ErrorWay,
} from './error-way.ts'
import { createWay } from './stage.ts'
import { button, openFirstItem } from './steps.ts'

const serverAwayAtLoad = createWay<ErrorStage>('the server is away while the page opens', async (stage) => {
  const { page, url } = stage
  await stage.signIn()
  await page.route('**/realms/**', (route) => route.abort('connectionrefused'))
  await page.goto(`${url}/orders`)
  await read(page, texts.account.unreachable)
  await read(page, texts.account.unreachableHelp)
  await stage.takePicture()
  await page.unroute('**/realms/**')
  await button(page, texts.account.retry).click()
  await page.getByRole('heading', { name: texts.orders.title }).waitFor()
  assert.match(page.url(), /\/orders/)
})

const serverAwayAtWork = createWay<ErrorStage>(
  'the server is killed while somebody works, and starts again',
  async (stage) => {
    const { page } = stage
    await stage.signIn()
    await fillCart(stage, 'commercial')
    await stage.killServer()
    await read(page, texts.frame.connection.unreachable)
    await page.getByRole('link', { name: texts.frame.places.money }).click()
    // Its files were not loaded before.
    await read(page, texts.frame.notLoadedHelp)
    await stage.takePicture()
    await stage.startServer()
    await page.getByText(texts.frame.connection.unreachable).waitFor({ state: 'detached', timeout: long_ms })
    await page.getByRole('heading', { name: texts.money.title }).waitFor({ timeout: long_ms })
    await page.getByRole('link', { name: texts.frame.places.cart }).click()
    await button(page, /^(Buy|Order) \d/).waitFor({ timeout: long_ms })
  },
)

const tilePath = /\/\d+\/\d+\/\d+(?:\.\w+)?$/

const serverAwayAtSearch = createWay<ErrorStage>(
  'the server is killed while the map is searched, and starts again',
  async (stage) => {
    const { page, url } = stage
    await stage.signIn()
    await page.goto(`${url}/explore?v=-90,40,2`)
    await page.locator('li[data-scene]').first().waitFor()
    const waiting = new Set<string>()
    const pathOf = (request: Request): string => new URL(request.url()).pathname
    page.on('requestfailed', (request) => {
      if (tilePath.test(pathOf(request))) waiting.add(pathOf(request))
    })
    page.on('response', (response) => {
      if (response.ok()) waiting.delete(pathOf(response.request()))
    })
    await stage.killServer()
    await button(page, 'Zoom in').click()
    await button(page, texts.explore.searchHere).click()
    await read(page, texts.problem.unreachable)
    await read(page, texts.frame.connection.unreachable)
    const failed = waiting.size
    assert.ok(failed > 0, 'no tile failed')
    await stage.startServer()
    await page.getByText(texts.problem.unreachable).waitFor({ state: 'detached', timeout: long_ms })
    await page.locator('li[data-scene]').first().waitFor({ timeout: long_ms })
    // Only those that are still in view.
    for (const end = Date.now() + long_ms; waiting.size === failed && Date.now() < end;) await page.waitForTimeout(200)
    assert.ok(waiting.size < failed, 'no tile that failed was requested again')
    await page.locator('[role=application][aria-busy=false]').waitFor({ timeout: long_ms })
  },
)

const offline = createWay<ErrorStage>('the device is offline', async (stage) => {
  const { page } = stage
  await stage.signIn()
  await openOrders(stage)
  await orderRow(page).waitFor()
  await page.context().setOffline(true)
  await read(page, texts.frame.connection.offline)
  // The loaded rows stay.
  await orderRow(page).waitFor()
  await page.getByLabel(texts.orders.status).selectOption('delivered')
  await read(page, texts.problem.offline)
  await stage.takePicture()
  await page.context().setOffline(false)
  await page.getByText(texts.frame.connection.offline).waitFor({ state: 'detached', timeout: long_ms })
  await page.getByText(texts.problem.offline).first().waitFor({ state: 'detached', timeout: long_ms })
  await orderRow(page).waitFor()
})

const slow_ms = 2500
const max_layout_shift = 0.02

const slowNetwork = createWay<ErrorStage>('the network is slow', async (stage) => {
  const { page, url } = stage
  await stage.signIn()
  await page.route(operationUrl('orders.*'), async (route) => {
    await page.waitForTimeout(slow_ms)
    await route.continue()
  })
  try {
    await page.addInitScript(`
      window.shifts = []
      const describeShift = ({ node, previousRect: from, currentRect: to }) => {
        const rectangles = [from, to].map(({ x, y, width, height }) => [x, y, width, height].join(' '))
        return [node?.className, node?.textContent.slice(0, 40), ...rectangles].join(' | ')
      }
      new PerformanceObserver((list) => {
        for (const { value, hadRecentInput, sources } of list.getEntries())
          if (!hadRecentInput) window.shifts.push({ value, moved: sources.map(describeShift) })
      }).observe({ type: 'layout-shift', buffered: true })`)
    await page.goto(`${url}/orders`)
    await page.getByRole('status', { name: texts.ui.loading }).first().waitFor()
    await stage.takePicture()
    await orderRow(page).waitFor()
    const shifts = (await page.evaluate('window.shifts')) as { value: number; moved: string[] }[]
    const shifted = shifts.reduce((sum, { value }) => sum + value, 0)
    assert.ok(shifted <= max_layout_shift, `what is shown has moved by ${shifted}: ${JSON.stringify(shifts)}`)
  } finally {
    // The count of the inbox may still be waiting: its handler ends after the page was closed.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  }
})

const failingHost = createWay<ErrorStage>('one host of the catalogue fails', async (stage) => {
  const { page, url } = stage
  await stage.signIn()
  const fail = async (route: Route): Promise<void> => {
    const { host_name } = route.request().postDataJSON() as { host_name?: string }
    await (host_name === 'commercial' ? route.abort('connectionrefused') : route.continue())
  }
  await page.route(operationUrl('catalog.search_stream'), fail)
  await page.goto(`${url}/explore?v=-90,40,2`)
  await read(page, / is missing: /)
  // The others answer, and it is not an error page.
  await page.locator('li[data-scene]').first().waitFor()
  assert.equal(await page.locator('main').getByRole('alert').count(), 0)
  await stage.takePicture()
  await page.unroute(operationUrl('catalog.search_stream'), fail)
  await button(page, texts.explore.askHosts).click()
  await page.getByText(/ is missing: /).waitFor({ state: 'detached' })
})

const failingTile = createWay<ErrorStage>('tiles of a picture fail', async (stage) => {
  const { page } = stage
  await stage.signIn()
  await openFirstItem(page)
  const tiles = /\/tiles?\/.*\d+\/\d+\/\d+/
  await page.route(tiles, (route) => route.fulfill({ status: 500, body: '' }))
  await button(page, texts.library.item.open).click()
  await page.waitForURL(/\/view/)
  await read(page, /could not be drawn/)
  await stage.takePicture()
  await page.unroute(tiles)
  await button(page, texts.viewer.drawTilesAgain).click()
  await page.getByText(/could not be drawn/).waitFor({ state: 'detached' })
})

/** The last ones start the server again. */
export const outageWays: readonly ErrorWay[] = [
  serverAwayAtLoad,
  offline,
  slowNetwork,
  failingHost,
  failingTile,
  serverAwayAtSearch,
  serverAwayAtWork,
]
