import type { Page } from 'playwright-core'
import { texts } from '../../../apps/console/src/texts.ts'
import type { SampleData } from '../sample-data.ts'
import { address, shownAbove, single, type ScreenRow } from './screen-row.ts'

const { analyse, viewer } = texts
const change_timeout_ms = 60_000

const indexOf = ({ indexItem: { id, area } }: SampleData): string =>
  address('/analyse/run/spectral-index', { items: id, area, set: JSON.stringify({ index: 'ndvi' }) })

const openPicker = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: analyse.addMore }).click()
  await page.getByLabel(analyse.findItems).waitFor()
}

const askForRun = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /^Run for/ }).click()
  await page.getByRole('dialog').waitFor()
  await page.getByText(analyse.dryRun).click()
}

/** The picture of the change is an answer of the platform that is loaded as a file. */
async function waitForChange(page: Page): Promise<void> {
  const picture = page.getByRole('img', { name: texts.analytics.change.picture })
  await picture.waitFor({ timeout: change_timeout_ms })
  await picture.scrollIntoViewIfNeeded()
}

const measure = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: analyse.measure, exact: true }).click()
  await page.getByRole('table', { name: texts.analytics.zones }).waitFor({ timeout: change_timeout_ms })
}

const detectChange = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: viewer.change.detect }).click()
  await waitForChange(page)
}

/** From the choice of items to the result of a job, and the measurements of a drawn area. */
export const analyseScreens: readonly ScreenRow[] = [
  {
    name: 'analyse',
    path: ({ indexItem: { id }, itemIds }) => address('/analyse', { items: [...new Set([id, ...itemIds])].join(',') }),
    reads: ['processing.catalog.list', 'analytics.operations.list'],
  },
  { name: 'analyse-start', path: () => '/analyse', reads: [], without: shownAbove },
  { name: 'analyse-items', path: ({ indexItem: { id } }) => address('/analyse', { items: id }), reads: [], without: shownAbove, act: openPicker }, // prettier-ignore
  { name: 'analyse-run', path: indexOf, reads: ['processing.catalog.get'], without: { empty: single } },
  { name: 'analyse-price', path: indexOf, reads: [], without: shownAbove, act: askForRun },
  {
    name: 'analyse-measure',
    path: ({ indexItem: { id, area } }) =>
      address('/analyse/measure/zonal_stats', { items: id, area, set: JSON.stringify({ index_name: 'ndvi' }) }),
    reads: ['analytics.operations.get'],
    without: { empty: single },
    act: measure,
  },
  { name: 'jobs', path: () => '/analyse/jobs', reads: ['processing.jobs.list'] },
  {
    name: 'job',
    path: ({ jobId }) => `/analyse/jobs/${jobId}`,
    reads: ['processing.job.get', 'processing.job.log'],
    without: { empty: single },
  },
  { name: 'job-cancelled', path: ({ cancelledJobId }) => `/analyse/jobs/${cancelledJobId}`, reads: [], without: shownAbove }, // prettier-ignore
  {
    name: 'viewer-area',
    path: ({ indexItem: { id, area }, twinId }) =>
      address('/view', { items: `${id},${twinId}`, preset: 'ndvi', tab: 'measure', tool: 'area', area }),
    reads: ['analytics.execute'],
    without: { empty: single },
    act: detectChange,
  },
]
