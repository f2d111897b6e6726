import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { keepView } from './keep-view.ts'

/** Goes to a path of the console; the map stays where it is, unless the search names a view. */
export type GoTo = (path: string, search?: Readonly<Record<string, string>>) => void

export function useGoTo(): GoTo {
  const navigate = useNavigate()
  return useMemo(
    () => (path, search) =>
      void navigate({ to: path, search: (previous: { v?: string }) => ({ ...keepView(previous), ...search }) }),
    [navigate],
  )
}
