import { UserMinus } from 'lucide-react'
import { useState } from 'react'
import type { OutputOf } from '@swath/client/operations.ts'
import { useCommand, useOperation } from '../../../api/use-operation.ts'
import { libraryTexts } from '../../../texts/library.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Section } from '../../../ui/screen.tsx'
import { Calls } from '../../../ui/calls/calls.tsx'
import styles from '../library.module.css'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

type Member = OutputOf<'projects.members.list'>['members'][number]
type Role = Member['role']

const words = libraryTexts.settings
const roles = Object.entries(words.roles).map(([value, label]) => ({ value, label }))
const affected = ['projects.members.list'] as const
const nameOf = ({ name, email }: Pick<Member, 'name' | 'email'>): string => name ?? email

/** Members of a project with their roles. */
export function ProjectMembers({ projectId }: { projectId: string }) {
  const input = { project_id: projectId }
  const members = useOperation('projects.members.list', input)
  const update = useCommand('projects.update_member', affected)
  const remove = useCommand('projects.remove_member', affected)
  return (
    <Section title={words.members} actions={<CopyCall operation="projects.members.list" input={input} />}>
      <QueryView query={members} rows={2}>
        {({ members: known }) => (
          <>
            {known.length === 0 && <p>{words.noMembers}</p>}
            <ul className={`${layout['stack8']} ${layout['named']}`}>
              {known.map((member) => (
                <li key={member.user_id} className={`${layout['row']} ${styles['member']}`}>
                  <span>
                    {nameOf(member)}
                    {member.name && <small>{member.email}</small>}
                  </span>
                  <SelectField
                    label={words.roleOf(nameOf(member))}
                    value={member.role}
                    disabled={update.isPending}
                    onChange={(role) => update.mutate({ ...input, user_id: member.user_id, role: role as Role })}
                    choices={roles}
                  />
                  <Button
                    kind="quiet"
                    icon={UserMinus}
                    aria-label={words.removeMember(nameOf(member))}
                    title={words.removeMember(nameOf(member))}
                    isPending={remove.isPending && remove.variables.user_id === member.user_id}
                    onClick={() => remove.mutate({ ...input, user_id: member.user_id })}
                  />
                </li>
              ))}
            </ul>
            {[update, remove].map(({ error }, index) => error && <ProblemNote key={index} error={error} />)}
            <AddMember projectId={projectId} known={known} />
          </>
        )}
      </QueryView>
    </Section>
  )
}

function AddMember({ projectId, known }: { projectId: string; known: readonly Member[] }) {
  const people = useOperation('organizations.members.list', {})
  const add = useCommand('projects.add_member', affected)
  const [user_id, setUser] = useState('')
  const [role, setRole] = useState<Role>('editor')
  const taken = new Set(known.map((member) => member.user_id))
  const free = (people.data?.members ?? []).filter((person) => !taken.has(person.user_id))
  const input = { project_id: projectId, user_id, role }
  return (
    <>
      {people.isError && <ProblemNote error={people.error} isRead />}
      {people.data && free.length === 0 && <p className={typography['note']}>{words.allAreMembers}</p>}
      {free.length > 0 && (
        <form
          className={`${layout['fields']} ${styles['member']}`}
          onSubmit={(event) => {
            event.preventDefault()
            add.mutate(input, { onSuccess: () => setUser('') })
          }}
        >
          <SelectField
            label={words.person}
            value={user_id}
            onChange={setUser}
            required
            choices={[
              { value: '', label: words.choosePerson },
              ...free.map((person) => ({ value: person.user_id, label: nameOf(person) })),
            ]}
          />
          <SelectField label={words.role} value={role} onChange={(next) => setRole(next as Role)} choices={roles} />
          <Button type="submit" isPending={add.isPending}>
            {words.addMember}
          </Button>
        </form>
      )}
      {add.isError && <ProblemNote error={add.error} />}
      <Calls
        calls={[
          [words.addMember, 'projects.add_member', input],
          [words.role, 'projects.update_member', input],
          [words.removeMember(words.person), 'projects.remove_member', { project_id: projectId, user_id }],
        ]}
      />
    </>
  )
}
