import type { NotificationKindName } from '@swath/contract/notification-kinds.ts'

/** Words of the API that people read as others, by the member of the data that has them. */
interface ReadableWords {
  /** A range has its upper bound in the alert. */
  readonly comparison: Readonly<Record<'gt' | 'gte' | 'lt' | 'lte' | 'eq' | 'neq' | 'between' | 'outside', string>>
  readonly reason: Readonly<Record<'failing' | 'gone' | 'stopped', string>>
}

/** All texts of notifications in a language. Those of a kind have the placeholders of `NotificationKind`. */
export interface NotificationTexts {
  /** The locale of `Intl` for numbers and times (BCP 47). */
  readonly intlLocale: string
  readonly kinds: Readonly<
    Record<NotificationKindName, { readonly title: string; readonly body: string; readonly description: string }>
  >
  readonly words: ReadableWords
  readonly mail: {
    /** The subject of an e-mail with several; `{count}`. */
    readonly several: string
    /** Why the receiver has it; `{organization}`. */
    readonly membership: string
    readonly open: string
    readonly end: string
  }
  /** The page that ends e-mails. */
  readonly page: {
    readonly ask: string
    /** `{description}` */
    readonly askBody: string
    readonly digest: string
    readonly done: string
    readonly doneBody: string
    readonly invalid: string
    readonly invalidBody: string
  }
}
