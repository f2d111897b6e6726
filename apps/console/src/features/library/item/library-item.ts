import type { OutputOf } from '@swath/client/operations.ts'

export type LibraryItem = OutputOf<'items.get'>['item']
