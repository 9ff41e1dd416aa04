# One image: by itself the whole service in one container, and with docker-compose.yml one service a
# container.
FROM node:26.10.0-bookworm-slim@sha256:662933cf47f013bc8e4beb31a6116448427a82057ba7c42c97e4c5ba766504c2

ENV NODE_ENV=production
WORKDIR /app

# Copies manifests first, so that a change of the sources does not reinstall the packages.
COPY package.json package-lock.json ./
COPY packages/frame/package.json packages/frame/
COPY packages/shader/package.json packages/shader/
COPY packages/chip/package.json packages/chip/
COPY packages/chiplet-spec/package.json packages/chiplet-spec/
COPY packages/energy/package.json packages/energy/
COPY packages/gpu/package.json packages/gpu/
COPY packages/multi-chiplet/package.json packages/multi-chiplet/
COPY packages/local-gpu/package.json packages/local-gpu/
COPY packages/plot/package.json packages/plot/
COPY packages/sampling/package.json packages/sampling/
COPY packages/die-cost/package.json packages/die-cost/
COPY packages/engine/package.json packages/engine/
COPY packages/study/package.json packages/study/
COPY packages/blobs/package.json packages/blobs/
COPY packages/wire/package.json packages/wire/
COPY packages/gl/package.json packages/gl/
COPY packages/scenes/package.json packages/scenes/
COPY packages/experiments/package.json packages/experiments/
COPY packages/client/package.json packages/client/
COPY packages/dashboard/package.json packages/dashboard/
COPY packages/webgl/package.json packages/webgl/
COPY packages/core/package.json packages/core/
COPY services/coordinator/package.json services/coordinator/
COPY services/visibility-chiplet/package.json services/visibility-chiplet/
COPY services/chiplet-worker/package.json services/chiplet-worker/
# Without install scripts, of which one would fetch a second Node.
RUN --mount=type=cache,target=/root/.npm \
    npm ci --omit=dev --ignore-scripts --no-audit --no-fund --no-update-notifier

COPY packages packages
COPY services services
COPY docs docs
COPY scripts/launch scripts/launch

# Volumes inherit their owner from these folders.
RUN mkdir /data /secret /blobs /engine-password .cache && chmod 700 /secret && \
    chown node:node /data /secret /blobs /engine-password .cache

USER node
# Compiled code, which containers read only. Without it each start takes twice the time. The
# folder has the user's number in its name.
ENV NODE_COMPILE_CACHE=/app/.cache/node-compile
RUN node scripts/launch/compile-ahead.ts

CMD ["node", "scripts/launch/start.ts"]
