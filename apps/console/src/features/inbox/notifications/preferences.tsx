import { useState } from 'react'
import type { InputOf, NotificationPreference } from '@swath/client/operations.ts'
import { useCommand, useOperation } from '../../../api/use-operation.ts'
import { notificationsTexts } from '../../../texts/notifications.ts'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { CheckboxField, SelectField } from '../../../ui/field.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Section } from '../../../ui/screen.tsx'
import { InboxScreen } from '../inbox-screen.tsx'
import styles from './notifications.module.css'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

const words = notificationsTexts.preferences
const modes = Object.entries(words.modes).map(([value, label]) => ({ value, label }))

type PreferenceChange = InputOf<'notifications.preferences.set'>

/** The kinds of notifications that this user receives, by channel. */
export function Preferences() {
  const preferences = useOperation('notifications.preferences.get', {})
  return (
    <InboxScreen actions={<CopyCall operation="notifications.preferences.get" input={{}} />}>
      <p className={`${layout['inset']} ${typography['muted']}`}>{words.help}</p>
      <QueryView query={preferences} rows={8} height_px={72}>
        {({ preferences: rows }) =>
          groupPreferences(rows).map(([title, group]) => (
            <Section key={title} title={title}>
              {group.map((preference) => (
                <PreferenceRow key={preference.kind} preference={preference} />
              ))}
            </Section>
          ))
        }
      </QueryView>
    </InboxScreen>
  )
}

type FirstWord<Kind extends string> = Kind extends `${infer Word}.${string}` ? Word : Kind

/** By the first word of a kind; a kind of the platform without a title does not compile. */
const titles: Readonly<Record<string, string>> = words.groups satisfies Readonly<
  Record<FirstWord<InputOf<'notifications.preferences.set'>['kind']>, string>
>

/** Kinds of one subject under its title, in the order of the platform. */
function groupPreferences(rows: readonly NotificationPreference[]): [string, NotificationPreference[]][] {
  const groups = new Map<string, NotificationPreference[]>()
  for (const row of rows) {
    const word = row.kind.split('.')[0]!
    const title = titles[word] ?? word
    groups.set(title, [...(groups.get(title) ?? []), row])
  }
  return [...groups]
}

function PreferenceRow({ preference }: { preference: NotificationPreference }) {
  const { kind, description, in_app, email } = preference
  const set = useCommand('notifications.preferences.set', ['notifications.preferences.get'])
  // The choice is shown at once, before the call has begun; if that is refused, the stored value is shown again.
  const [chosen, setChosen] = useState<Omit<PreferenceChange, 'kind'> | null>(null)
  const change = (part: Omit<PreferenceChange, 'kind'>): void => {
    setChosen(part)
    set.mutate({ kind: kind as PreferenceChange['kind'], ...part }, { onSettled: () => setChosen(null) })
  }
  return (
    <div className={styles['preference']} role="group" aria-label={description}>
      <p className={layout['across']}>{description}</p>
      <CheckboxField
        label={words.inApp}
        checked={chosen?.in_app ?? in_app}
        onChange={(isOn) => change({ in_app: isOn })}
      />
      <SelectField
        label={words.email}
        value={chosen?.email ?? email}
        choices={modes}
        onChange={(value) => change({ email: value as NotificationPreference['email'] })}
      />
      {set.isError && <ProblemNote error={set.error} />}
    </div>
  )
}
