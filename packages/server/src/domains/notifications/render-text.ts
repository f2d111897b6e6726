import { defaultUserLocale } from '../users/user-locale.ts'
import type { NotificationTexts } from './texts/notification-texts.ts'
import { notificationTexts } from './texts/texts-by-language.ts'

interface Format {
  readonly texts: NotificationTexts
  readonly time_zone: string
}

const isTime = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(text)

/** `28 Nov 2026, 23:48 UTC`. */
const formatTime = (time: string, { texts: { intlLocale }, time_zone }: Format): string =>
  new Date(time).toLocaleString(intlLocale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: time_zone,
    timeZoneName: 'short',
  })

/** Names of members that are amounts: their numbers are always in groups, those in AUD with cents. */
const isCredits = (name: string): boolean => /credits/i.test(name)
const isMoney = (name: string): boolean => /(?:^|_)aud$/i.test(name)

/** Integers in full, other numbers with six significant digits; groups from 10,000 on, so that years have none. */
function formatNumber(name: string, value: number, intlLocale: string): string {
  if (isMoney(name)) return value.toLocaleString(intlLocale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  const maximumSignificantDigits = Number.isInteger(value) ? 21 : 6
  return value.toLocaleString(intlLocale, { maximumSignificantDigits, useGrouping: isCredits(name) ? true : 'min2' })
}

/** A word for programs, such as `card_declined`. */
const isCode = (text: string): boolean => /^[a-z]+(?:_[a-z]+)+$/.test(text)

function findWord(words: NotificationTexts['words'], name: string, value: string): string | undefined {
  const ofMember: Readonly<Record<string, string>> = name === 'comparison' || name === 'reason' ? words[name] : {}
  return Object.hasOwn(ofMember, value) ? ofMember[value] : undefined
}

/** A value as people read it; a list is its length. */
function formatValue(name: string, value: unknown, format: Format): string {
  const { intlLocale, words } = format.texts
  if (typeof value === 'number') return formatNumber(name, value, intlLocale)
  if (Array.isArray(value)) return formatNumber(name, value.length, intlLocale)
  if (typeof value !== 'string') return ''
  if (isTime(value)) return formatTime(value, format)
  const word = findWord(words, name, value)
  if (word !== undefined) return word
  return isolateRightToLeftText(name === 'reason' && isCode(value) ? value.replaceAll('_', ' ') : value)
}

/**
 * The text between isolates of the Unicode Bidirectional Algorithm if it has letters that are read from right to left: then it does not
 * change the order of the sentence in which it stands.
 */
export const isolateRightToLeftText = (text: string): string =>
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u.test(text) ? `\u2068${text}\u2069` : text

/** Longer texts are cut. */
const max_length = 500

/** Fills the placeholders of a template with members of the data; absent ones and null leave nothing. */
export function renderNotificationText(
  template: string,
  data: Readonly<Record<string, unknown>>,
  { language, time_zone } = defaultUserLocale,
): string {
  const format = { texts: notificationTexts[language], time_zone }
  return template
    .replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      Object.hasOwn(data, name) ? formatValue(name, data[name], format) : '',
    )
    .trim()
    .slice(0, max_length)
}

/** What a notification is about. */
export interface NotificationSubject {
  readonly data: Readonly<Record<string, unknown>>
  readonly entity_id: string
  /** The name of an order; null for other entities. */
  readonly entity_name: string | null
}

/** The texts of a notification, by their names. */
export function renderNotification<Name extends string>(
  templates: Readonly<Record<Name, string>>,
  { data, entity_id, entity_name }: NotificationSubject,
  locale = defaultUserLocale,
): Record<Name, string> {
  const values = { ...data, entity_id, entity_name }
  const texts = Object.entries<string>(templates).map(([name, template]) => [
    name,
    renderNotificationText(template, values, locale),
  ])
  return Object.fromEntries(texts) as Record<Name, string>
}
