import assert from 'node:assert/strict'
import { test } from 'node:test'
import { events } from './events.ts'
import { notificationKinds, type NotificationKind } from './notification-kinds.ts'

test('every placeholder of a notification is a member of the data of its event, or its entity', () => {
  for (const [name, kind] of Object.entries<NotificationKind>(notificationKinds)) {
    const members = Object.keys((events[kind.event].data as { properties?: object }).properties ?? {})
    const ofEntity = kind.link.startsWith('/orders/') ? ['entity_id', 'entity_name'] : ['entity_id']
    for (const [, placeholder] of `${kind.title} ${kind.body} ${kind.link}`.matchAll(/\{(\w+)\}/g))
      assert.ok([...members, ...ofEntity].includes(placeholder!), `${name}: {${placeholder}}`)
  }
})

test('an event has one kind of notification', () => {
  const causes = Object.values(notificationKinds).map(({ event }) => event)
  assert.equal(new Set(causes).size, causes.length)
})
