import type { Module } from '../../engine/task.ts'
import { addProjectMember } from './projects.add_member.ts'
import { archiveProject } from './projects.archive.ts'
import { createProject } from './projects.create.ts'
import { deleteProject } from './projects.delete.ts'
import { getProject } from './projects.get.ts'
import { listVisibleProjects } from './projects.list.ts'
import { listMembersOfProject } from './projects.members.list.ts'
import { removeProjectMember } from './projects.remove_member.ts'
import { changeProjectMember } from './projects.update_member.ts'
import { updateProjectById } from './projects.update.ts'

export const projects: Module = {
  name: 'projects',
  handlers: [
    createProject,
    updateProjectById,
    archiveProject,
    deleteProject,
    addProjectMember,
    changeProjectMember,
    removeProjectMember,
    getProject,
    listVisibleProjects,
    listMembersOfProject,
  ],
  tasks: [],
}
