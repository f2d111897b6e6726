import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventDefinitions } from './events.ts'
import { notificationKinds, type NotificationKind } from './notification-kinds.ts'

/** Only orders have a name, whose events these are. */
const entityPlaceholders = (event: NotificationKind['event']): string[] =>
  /^(?:order|feasibility|quotation)\./.test(event) ? ['entity_id', 'entity_name'] : ['entity_id']

test('every placeholder of a notification is a member of the data of its event', () => {
  for (const [name, kind] of Object.entries<NotificationKind>(notificationKinds)) {
    const members = Object.keys((eventDefinitions[kind.event].data as { properties?: object }).properties ?? {})
    for (const [, placeholder] of `${kind.title} ${kind.body} ${kind.link}`.matchAll(/\{(\w+)\}/g))
      assert.ok([...members, ...entityPlaceholders(kind.event)].includes(placeholder!), `${name}: {${placeholder}}`)
  }
})

test('an event has one kind of notification', () => {
  const causes = Object.values(notificationKinds).map(({ event }) => event)
  assert.equal(new Set(causes).size, causes.length)
})
