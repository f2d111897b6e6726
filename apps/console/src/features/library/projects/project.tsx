import { Archive, ArchiveRestore, Trash2 } from 'lucide-react'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { OutputOf } from '@swath/client/operations.ts'
import { usePlatform } from '../../../api/platform.tsx'
import { useCommand, useOperation } from '../../../api/use-operation.ts'
import { keepView } from '../../../map/keep-view.ts'
import { libraryTexts } from '../../../texts/library.ts'
import { OpenInQgis } from '../../../qgis/open-in-qgis.tsx'
import { Button } from '../../../ui/button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Time } from '../../../ui/figures.tsx'
import { Identifier } from '../../../ui/identifier.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Screen, Section } from '../../../ui/screen.tsx'
import { Calls } from '../../../ui/calls/calls.tsx'
import { DescriptionForm } from './description-form.tsx'
import { ProjectMembers } from './project-members.tsx'
import layout from '../../../ui/layout.module.css'

type Project = OutputOf<'projects.get'>['project']
const words = libraryTexts.settings

/** The settings of a project: its name, its members, and its end. */
export function ProjectSettings() {
  const { projectId } = useParams({ strict: false }) as { projectId: string }
  const input = { project_id: projectId }
  const query = useOperation('projects.get', input)
  return (
    <Screen
      title={query.data?.project.name ?? libraryTexts.project}
      back={{ to: '/library', search: ({ v }: { v?: string }) => ({ ...(v ? { v } : {}), project: projectId }) }}
      actions={<CopyCall operation="projects.get" input={input} />}
    >
      <QueryView query={query}>
        {({ project }) => (
          <>
            <ProjectDetails project={project} />
            <ProjectMembers projectId={project.id} />
            <ProjectInQgis project={project} />
            <ProjectEnd project={project} />
          </>
        )}
      </QueryView>
    </Screen>
  )
}

/** The newest items of a project that become layers. */
const max_layers = 20

function ProjectInQgis({ project: { id, name } }: { project: Project }) {
  const { client } = usePlatform()
  const readItems = async () => (await client.call('items.list', { project_id: id, limit: max_layers })).items
  return <OpenInQgis name={name} readItems={readItems} />
}

const affected = ['projects.get', 'projects.list'] as const

function ProjectDetails({ project }: { project: Project }) {
  const update = useCommand('projects.update', affected)
  const input = { project_id: project.id, name: project.name, description: project.description }
  return (
    <Section title={words.details}>
      <DescriptionForm
        name={project.name}
        description={project.description}
        isPending={update.isPending}
        onSave={(change) => update.mutate({ project_id: project.id, ...change })}
      />
      {update.isError && <ProblemNote error={update.error} />}
      <Facts
        facts={[
          [libraryTexts.item.added, <Time key="added" at={project.created_at} />],
          [libraryTexts.project, <Identifier key="id" id={project.id} />],
        ]}
      />
      <Calls calls={[[libraryTexts.save, 'projects.update', input]]} />
    </Section>
  )
}

function ProjectEnd({ project: { id, name, is_archived } }: { project: Project }) {
  const [isAsking, setAsking] = useState(false)
  const navigate = useNavigate()
  const archive = useCommand('projects.archive', affected)
  const remove = useCommand('projects.delete', ['projects.list', 'stac.search', 'events.list'])
  const input = { project_id: id, is_archived: !is_archived }
  return (
    <Section title={is_archived ? libraryTexts.tree.archived : words.archive}>
      {is_archived && <p>{words.archivedText}</p>}
      <div className={layout['fields']}>
        <Button
          icon={is_archived ? ArchiveRestore : Archive}
          isPending={archive.isPending}
          onClick={() => archive.mutate(input)}
        >
          {is_archived ? words.unarchive : words.archive}
        </Button>
        <Button kind="danger" icon={Trash2} aria-haspopup="dialog" onClick={() => setAsking(true)}>
          {words.removeProject}
        </Button>
        <Link to="/library" search={({ v }: { v?: string }) => ({ ...keepView(v ? { v } : {}), project: id })}>
          {words.items}
        </Link>
      </div>
      {archive.isError && <ProblemNote error={archive.error} />}
      <Calls
        calls={[
          [is_archived ? words.unarchive : words.archive, 'projects.archive', input],
          [words.removeProject, 'projects.delete', { project_id: id }],
        ]}
      />
      {isAsking && (
        <Dialog
          title={words.removeProjectTitle(name)}
          onClose={() => setAsking(false)}
          actions={
            <>
              <Button onClick={() => setAsking(false)}>{words.keep}</Button>
              <Button
                kind="danger"
                isPending={remove.isPending}
                onClick={() =>
                  remove.mutate(
                    { project_id: id },
                    { onSuccess: () => void navigate({ to: '/library', search: keepView }) },
                  )
                }
              >
                {words.removeProject}
              </Button>
            </>
          }
        >
          <p>{words.removeProjectText}</p>
          {remove.isError && <ProblemNote error={remove.error} />}
        </Dialog>
      )}
    </Section>
  )
}
