import type { Page } from 'playwright-core'
import type { SampleData } from '../sample-data.ts'

export interface ScreenRow {
  readonly name: string
  readonly path: (data: SampleData) => string
  /** The reads that fill the screen; its other states are made by answering them differently. */
  readonly reads: readonly string[]
  /** States that do not exist for this screen, with the reason. */
  readonly without?: Partial<Record<StateName, string>>
  /** The steps of a person before the screenshot is taken. */
  readonly act?: (page: Page, data: SampleData) => Promise<void>
  /** Before the page is opened. */
  readonly prepare?: (page: Page, data: SampleData) => Promise<void>
  /** Visitors have no session. */
  readonly isPublic?: boolean
  /** Seen by the owner of the sandbox organization. */
  readonly isSandbox?: boolean
}

export type StateName = 'full' | 'empty' | 'loading' | 'error' | 'forbidden'

export const stateNames = ['full', 'empty', 'loading', 'error', 'forbidden'] as const satisfies readonly StateName[]

/** Why a screen has no empty state. */
export const single = 'one thing, which exists or does not'
/** A screen whose only state is the full one. */
export const onlyFull = { empty: single, loading: single, error: single, forbidden: single }
/** The other states are those of the screen that another row has. */
export const shownAbove = Object.fromEntries(stateNames.slice(1).map((state) => [state, 'the row above'])) as Partial<
  Record<StateName, string>
>

export const address = (path: string, search: Readonly<Record<string, string>>): string =>
  `${path}?${new URLSearchParams(search).toString()}`
