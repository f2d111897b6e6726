import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { texts } from '../../../apps/console/src/texts.ts'
import { watchPage } from '../../console/quiet.ts'
import { button, openFirstItem } from './steps.ts'
import { time_limits, createWay, type Way } from './stage.ts'

const { explore, frame } = texts
/** The panel shows the filters from this width on; before, one press more opens them. */
const min_wide_px = 720
const quiet_ms = 30_000
/** Longer than the map takes to notice a letter. */
const typing_ms = 700

const viewOf = (page: Page): string | null => new URL(page.url()).searchParams.get('v')
const isWide = (page: Page): boolean => page.viewportSize()!.width >= min_wide_px

/** The boxes that scenes are searched in from now on. */
function collectBoxes(page: Page): number[][] {
  const boxes: number[][] = []
  page.on('request', (request) => {
    if (!request.url().endsWith('/v1/op/catalog.search_stream')) return
    const { bbox } = request.postDataJSON() as { bbox?: number[] }
    if (bbox) boxes.push(bbox)
  })
  return boxes
}

const isNear = (view: string | null, lon: number, lat: number): boolean => {
  const [x = NaN, y = NaN] = (view ?? '').split(',').map(Number)
  return Math.abs(x - lon) < 3 && Math.abs(y - lat) < 3
}

const contains = ([west, south, east, north]: readonly number[], lon: number, lat: number): boolean =>
  west! < lon && lon < east! && south! < lat && lat < north!

const traveller = createWay(
  'a person goes to a place while the map flies: the scenes are of the place, and so is the address',
  async ({ page, signIn }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await signIn()
    await page.locator('li[data-scene]').first().waitFor()
    if (!isWide(page)) await page.locator('summary').getByText(explore.filters).click()
    const field = page.getByRole('combobox', { name: explore.place })
    await field.click()
    const before = viewOf(page)
    const boxes = collectBoxes(page)
    await page.keyboard.type('United Kingdom')
    await page.waitForTimeout(typing_ms)
    await page.getByRole('option').first().waitFor()
    assert.deepEqual([viewOf(page), boxes.length], [before, 0], 'the last letter does not fly')
    await page.keyboard.press('Enter')
    // Another flight ends the first one where it is.
    await page.keyboard.press('Enter')
    await page.locator('li[data-scene*="hls-exe"]').first().waitFor()
    assert.ok(boxes.length > 0 && boxes.every((box) => contains(box, -2, 54)), JSON.stringify(boxes))
    // The first flight ends on its way, and its end is in the address until the second one ends.
    await page.waitForURL(({ searchParams }) => isNear(searchParams.get('v'), -2, 54))
    assert.equal(await page.getByRole('button', { name: explore.searchHere }).count(), 0)
  },
)

const returner = createWay(
  'what was seen is seen again after a reload, by a shared link and by going back',
  async (stage) => {
    const { page, signIn, openSecondPage } = stage
    await signIn()
    const watch = watchPage(page)
    await openFirstItem(page)
    await watch.waitForQuiet({ timeout_ms: quiet_ms })
    await button(page, texts.library.item.open).click()
    await page.getByRole('region', { name: texts.viewer.legend }).waitFor({ timeout: time_limits.work_ms })
    await watch.waitForQuiet({ timeout_ms: quiet_ms })
    assert.ok(viewOf(page), 'the address has what the screen has shown')
    await zoomOut(page)
    await watch.waitForQuiet({ timeout_ms: quiet_ms })
    const [url, seen] = [page.url(), viewOf(page)]
    await page.reload()
    await page.getByRole('region', { name: texts.viewer.legend }).waitFor({ timeout: time_limits.work_ms })
    await watch.waitForQuiet({ timeout_ms: quiet_ms })
    assert.equal(viewOf(page), seen, 'after a reload')
    const other = await openSecondPage()
    await other.goto(url)
    await other.getByRole('region', { name: texts.viewer.legend }).waitFor({ timeout: time_limits.work_ms })
    await watchPage(other).waitForQuiet({ timeout_ms: quiet_ms })
    assert.equal(viewOf(other), seen, 'by a shared link')
    await page.getByRole('link', { name: frame.places.orders, exact: true }).click()
    await page.locator('main ul li a').first().click()
    await page.waitForURL(/\/orders\/[0-9a-f-]{36}/)
    await watch.waitForQuiet({ timeout_ms: quiet_ms })
    await page.goBack()
    await page.goBack()
    await page.waitForURL(/\/view\?/)
    await watch.waitForQuiet({ timeout_ms: quiet_ms })
    assert.equal(viewOf(page), seen, 'by going back')
  },
)

/** So far that the screen would fit the item into the map if it were opened anew. */
async function zoomOut(page: Page): Promise<void> {
  const out = page.getByRole('button', { name: 'Zoom out' })
  for (let steps = 0; steps < 4; steps++) {
    const before = viewOf(page)
    await out.click()
    await page.waitForFunction(`new URL(location).searchParams.get('v') !== ${JSON.stringify(before)}`)
  }
}

const chooser = createWay(
  'a buyer sees the pictures of the selected scenes on the map, numbered by date, and which is which',
  async ({ page, url, signIn }) => {
    await signIn()
    await page.goto(`${url}/explore?v=-3.5,50.7,8`)
    const rows = page.locator('li[data-scene] button[aria-pressed]')
    await rows.nth(2).waitFor()
    for (const at of [0, 1, 2]) await rows.nth(at).click()
    const legend = page.getByRole('region', { name: explore.pictures })
    await legend.getByRole('button').nth(2).waitFor()
    const shown = await legend.getByRole('button').locator('b, span').allTextContents()
    assert.deepEqual([shown[0], shown[2], shown[4]], ['1', '2', '3'])
    const days = [shown[1], shown[3], shown[5]].map((day) => Date.parse(`${day} UTC`))
    assert.deepEqual(
      days,
      days.toSorted((left, right) => left - right),
    )
    await rows.nth(0).hover()
    await legend.locator('button[data-hovered=true]').waitFor()
    assert.equal(await rows.nth(0).locator('b').first().textContent(), '3', 'the newest is first in the list')
  },
)

const mapMaker = createWay(
  'a person makes an item the base map, sees it on another screen and after a reload, and chooses the first map again',
  async ({ page, url, signIn }) => {
    await signIn()
    const watch = watchPage(page)
    await openFirstItem(page)
    // The map moves to the item.
    await watch.waitForQuiet({ timeout_ms: quiet_ms })
    const item = page.url().match(/items\/([0-9a-f-]{36})/)![1]!
    const view = viewOf(page)
    await button(page, texts.library.item.useAsBaseMap).click()
    await page.getByText(texts.library.item.asBaseMap(1)).waitFor()
    const isTile = (address: string): boolean => address.includes(`/api/v1/items/${item}/tiles/`)
    const showMap = async (): Promise<void> => void (await page.goto(`${url}/cart?v=${view}`))
    const [tile] = await Promise.all([page.waitForResponse((response) => isTile(response.url())), showMap()])
    assert.equal(tile.status(), 200)
    const choice = page.getByRole('combobox', { name: frame.baseMap })
    await choice.selectOption('server')
    const tiles: string[] = []
    page.on('request', (request) => {
      if (isTile(request.url())) tiles.push(request.url())
    })
    await showMap()
    await watchPage(page).waitForQuiet({ timeout_ms: quiet_ms })
    assert.equal(await choice.inputValue(), 'server')
    assert.deepEqual(tiles, [])
  },
)

const holderOfIds = createWay(
  'a person finds an item, an order and a scene of another place by their ids',
  async ({ page, url, signIn }) => {
    await signIn()
    await openFirstItem(page)
    const item = page.url().match(/items\/([0-9a-f-]{36})/)![1]!
    await page.getByRole('link', { name: frame.places.orders, exact: true }).click()
    await page.locator('main ul li a').first().click()
    await page.waitForURL(/\/orders\/[0-9a-f-]{36}/)
    const order = page.url().match(/orders\/([0-9a-f-]{36})/)![1]!
    await page.goto(`${url}/explore?v=-3.5,50.7,8`)
    const scene = (await page.locator('li[data-scene]').first().getAttribute('data-scene'))!
    const find = async (id: string, pattern: RegExp): Promise<void> => {
      await page.goto(`${url}/explore?v=11.3,46.5,9`)
      if (!isWide(page)) await page.locator('summary').getByText(explore.filters).click()
      await page.getByRole('combobox', { name: explore.place }).fill(id)
      // At once: a result that is found later is opened then.
      await page.keyboard.press('Enter')
      await page.waitForURL(pattern)
    }
    await find(item, new RegExp(`/library/items/${item}`))
    await find(order, new RegExp(`/orders/${order}`))
    await find(scene.replace(/^\S+ /, ''), /[?&]scene=/)
    await button(page, explore.addToCart).waitFor()
    assert.ok(isNear(viewOf(page), -3.5, 50.7), 'the map shows the scene')
  },
)

export const viewWays: readonly Way[] = [traveller, returner, chooser, mapMaker, holderOfIds]
