import { useNavigate } from '@tanstack/react-router'
import type { OutputOf } from '@swath/client/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { libraryTexts } from '../../texts/library.ts'
import { CopyCall } from '../../ui/copy-call.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Screen } from '../../ui/screen.tsx'
import { useUploads } from '../../uploads/uploads-context.tsx'
import { LibraryTabs } from './library-tabs.tsx'
import { EmptyLibrary, ItemList } from './list/item-list.tsx'
import { useMoveItems } from './list/use-move-items.ts'
import { FilterBar } from './search/filter-bar.tsx'
import { useItemSearch } from './search/use-item-search.ts'
import { useLibraryUrl } from './search/use-library-url.ts'
import { LibraryTree } from './tree/library-tree.tsx'

type Project = OutputOf<'projects.list'>['projects'][number]

/** The items of the organization: by project and collection, or found by filters. */
export function Library() {
  const projects = useOperation('projects.list', {})
  return (
    <Screen
      title={libraryTexts.title}
      toolbar={<LibraryTabs />}
      actions={<CopyCall operation="projects.list" input={{}} />}
    >
      <QueryView query={projects} rows={6}>
        {({ projects: known }) => <LibraryContent projects={known} />}
      </QueryView>
    </Screen>
  )
}

function LibraryContent({ projects }: { projects: readonly Project[] }) {
  const navigate = useNavigate()
  const url = useLibraryUrl()
  const { search, change } = url
  const found = useItemSearch(search)
  const move = useMoveItems()
  const uploads = useUploads()
  const { project } = search
  const collections = useOperation(
    'collections.list',
    { project_id: project ?? '' },
    { enabled: project !== undefined },
  )
  return (
    <>
      <LibraryTree
        projects={projects}
        url={url}
        onMove={(ids, { id, name }) => move.mutate({ ids, collection_id: id, name })}
        onFiles={(files, project_id, collection_id) => {
          uploads.add({ project_id, collection_id, is_categorical: false }, files)
          const target = { project: project_id, ...(collection_id ? { collection: collection_id } : {}) }
          void navigate({ to: '/library/uploads', search: ({ v }) => ({ ...(v ? { v } : {}), ...target }) })
        }}
      />
      {projects.length === 0 ? (
        <EmptyLibrary />
      ) : (
        <>
          <FilterBar search={search} onChange={change} found={found} />
          <ItemList url={url} found={found} collections={collections.data?.collections ?? null} move={move} />
        </>
      )}
    </>
  )
}
