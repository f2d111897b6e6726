import type { Page } from 'playwright-core'
import { texts } from '../../../apps/console/src/texts.ts'
import { intercept } from '../interception.ts'
import { address, shownAbove, single, type ScreenRow } from './screen-row.ts'

const { library } = texts

const openFilters = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: library.search.cql }).click()
  await page.getByRole('button', { name: library.search.add }).click()
}

const selectAll = async (page: Page): Promise<void> => {
  await page.getByLabel(library.selectAll).check()
}

/** A file for which there is no space. */
const sendTooMuch = async (page: Page): Promise<void> => {
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'mosaic-of-the-state.tif', mimeType: 'image/tiff', buffer: Buffer.alloc(1000) })
  await page.getByRole('alert').waitFor()
}

const noSpace = {
  status: 402,
  problem: 'quota-storage',
  title: 'Storage quota exceeded',
  members: { free_bytes: 2_400_000_000, needed_bytes: 61_000_000_000 },
} as const

/** The library and the screens that are opened from it. */
export const libraryScreens: readonly ScreenRow[] = [
  { name: 'library', path: () => '/library', reads: ['stac.search'] },
  { name: 'library-tree', path: () => '/library', reads: ['projects.list'], without: { full: 'the row above' } },
  {
    name: 'library-filters',
    path: ({ projectId: project }) =>
      address('/library', { project, cloud: '60', where: JSON.stringify(["platform = 'sentinel-2'"]) }),
    reads: ['stac.search'],
    without: shownAbove,
    act: openFilters,
  },
  {
    name: 'library-mistake',
    path: () => address('/library', { where: JSON.stringify(['gsd < 30', "platform = = 'sentinel-2'"]) }),
    reads: [],
    without: shownAbove,
  },
  {
    name: 'library-selected',
    path: ({ projectId: project, collectionId: collection }) => address('/library', { project, collection }),
    reads: [],
    without: shownAbove,
    act: selectAll,
  },
  {
    name: 'item',
    path: ({ copyId }) => `/library/items/${copyId}`,
    reads: ['items.get', 'items.get_stac', 'items.list_assets', 'provenance.get', 'share.link.list'],
    without: { empty: single },
  },
  { name: 'uploads', path: () => '/library/uploads', reads: ['uploads.list'] },
  {
    name: 'uploads-refused',
    path: () => '/library/uploads',
    reads: [],
    without: shownAbove,
    prepare: (page) => intercept(page, ['uploads.initiate'], noSpace),
    act: sendTooMuch,
  },
  { name: 'deleted', path: () => '/library/deleted', reads: ['events.list'] },
  {
    name: 'project-settings',
    path: ({ projectId }) => `/library/projects/${projectId}`,
    reads: ['projects.get', 'projects.members.list'],
    without: { empty: single },
  },
  {
    name: 'collection-settings',
    path: ({ projectId, collectionId }) => `/library/projects/${projectId}/collections/${collectionId}`,
    reads: ['collections.get', 'share.link.list'],
    without: { empty: single },
  },
]
