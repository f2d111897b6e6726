import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { usePlatform } from '../../../api/platform.tsx'
import type { InputSchema, SchemaTable } from '../../../schema-form/schema-fields.ts'

/** The members of an operation in the OpenAPI document that the explorer uses. */
export interface OperationDocument {
  readonly id: string
  readonly summary: string
  readonly input: InputSchema
  readonly scope: string | null
  readonly effect: string
  readonly isIdempotent: boolean
  /** False for operations that this version describes but does not implement. */
}

export interface OpenApiDocument {
  readonly operations: readonly OperationDocument[]
  readonly schemas: SchemaTable
}

interface RawOperation {
  readonly operationId?: string
  readonly summary?: string
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: InputSchema }>> }
  readonly 'x-scope'?: string | null
  readonly 'x-effect'?: string
  readonly 'x-idempotent'?: boolean
}

interface RawDocument {
  readonly paths: Readonly<Record<string, { readonly post?: RawOperation }>>
  readonly components?: { readonly schemas?: SchemaTable }
}

const prefix = '/v1/op/'

/** The OpenAPI document of this installation. */
export function useOpenApi(): UseQueryResult<OpenApiDocument> {
  const { client } = usePlatform()
  return useQuery({
    queryKey: ['openapi.json'],
    queryFn: async ({ signal }) => {
      const response = await client.fetch('/openapi.json', { signal })
      if (!response.ok) throw new Error(`openapi.json: ${response.status}`)
      return readDocument((await response.json()) as RawDocument)
    },
    staleTime: Infinity,
  })
}

function readDocument({ paths, components }: RawDocument): OpenApiDocument {
  const operations = Object.entries(paths)
    .filter(([path, { post }]) => path.startsWith(prefix) && post)
    .map(([path, { post }]) => readOperation(path.slice(prefix.length), post!))
  return { operations, schemas: components?.schemas ?? {} }
}

const readOperation = (id: string, raw: RawOperation): OperationDocument => ({
  id,
  summary: raw.summary ?? '',
  input: raw.requestBody?.content?.['application/json']?.schema ?? {},
  scope: raw['x-scope'] ?? null,
  effect: raw['x-effect'] ?? 'read',
  isIdempotent: raw['x-idempotent'] ?? false,
})
