import { CircleCheck, CircleX } from 'lucide-react'
import type { OutputOf } from '@swath/client/operations.ts'
import { signOnTexts } from '../../../texts/sign-on.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

const words = signOnTexts.provider

interface ProviderTestNoteProps {
  readonly test: { readonly data: OutputOf<'organizations.provider.test'> | undefined; readonly error: Error | null }
}

/** What a test of the provider has found. */
export function ProviderTestNote({ test: { data, error } }: ProviderTestNoteProps) {
  if (error) return <ProblemNote error={error} />
  const found = data?.test
  if (!found) return <p className={typography['muted']}>{words.testHelp}</p>
  const { ok, authorization_endpoint, token_endpoint, key_count, has_backchannel_logout, problems } = found
  return (
    <div className={layout['stack8']} role="status">
      <p>
        <Badge icon={ok ? CircleCheck : CircleX} tone={ok ? 'good' : 'bad'}>
          {ok ? words.works : words.fails}
        </Badge>
      </p>
      {problems.length > 0 && (
        <ul className={`${layout['stack4']} ${layout['bullets']}`}>
          {problems.map((problem) => (
            <li key={problem} className={typography['anywhere']}>
              {problem}
            </li>
          ))}
        </ul>
      )}
      {ok && (
        <Facts
          facts={[
            [words.authorization, authorization_endpoint],
            [words.token, token_endpoint],
            [words.keys, String(key_count)],
            [words.logout, has_backchannel_logout ? words.yes : words.no],
          ]}
        />
      )}
    </div>
  )
}
